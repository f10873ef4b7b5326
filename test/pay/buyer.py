"""Buys one answer over HTTP with an official Python client: mpp or x402, ADDRESS, PRIVATE KEY, the chain as JSON. Prints one line of JSON."""

import asyncio
import json
import sys

from eth_account import Account


async def buy_by_mpp(url: str, account, chain: dict):
    from mpp.client import Mpp
    from mpp.methods.evm import client as evm

    method = evm.charge(
        currency=chain["token"],
        account=account,
        chain_id=chain["chainId"],
        decimals=chain["decimals"],
        authorization={"name": chain["tokenName"], "version": chain["tokenVersion"]},
    )
    async with Mpp(methods=[method]) as client:
        return await client.fetch(url)


async def buy_by_x402(url: str, account, chain: dict):
    from x402 import x402Client
    from x402.http.clients import x402HttpxClient
    from x402.mechanisms.evm import EthAccountSigner
    from x402.mechanisms.evm.exact import register_exact_evm_client

    payer = x402Client()
    # The token of a local chain is none of those it knows.
    payer.set_spend_controls(False)
    register_exact_evm_client(payer, EthAccountSigner(account))
    async with x402HttpxClient(payer) as client:
        return await client.get(url)


rail, url, key, chain = sys.argv[1:5]
buy = buy_by_mpp if rail == "mpp" else buy_by_x402
response = asyncio.run(buy(url, Account.from_key(key), json.loads(chain)))
print(json.dumps({"status": response.status_code, "text": response.text, "receipt": response.headers.get("payment-receipt")}))
