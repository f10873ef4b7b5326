"""Buys one tool call with the official Python clients of MCP and x402: ADDRESS OF /mcp, PRIVATE KEY. Prints one line of JSON."""

import asyncio
import json
import sys

from eth_account import Account
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from x402 import x402Client
from x402.mcp.client import x402MCPSession
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact import register_exact_evm_client


async def buy(url: str, key: str) -> dict:
    payer = x402Client()
    # The token of a local chain is none of those it knows.
    payer.set_spend_controls(False)
    register_exact_evm_client(payer, EthAccountSigner(Account.from_key(key)))
    async with streamable_http_client(url) as streams:
        async with ClientSession(streams[0], streams[1]) as session:
            buyer = x402MCPSession(session, payer)
            await buyer.initialize()
            tools = await buyer.list_tools()
            result = await buyer.call_tool("getBlock", {"height": 7})
            return {
                "tools": len(tools.tools),
                "isError": result.is_error,
                "transaction": getattr(result.payment_response, "transaction", None),
                "text": result.content[0].text,
            }


print(json.dumps(asyncio.run(buy(sys.argv[1], sys.argv[2]))))
