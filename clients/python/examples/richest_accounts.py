"""Prints the accounts with the largest balances: richest_accounts.py [BASE_URL]"""

import sys

from astrolabe_client import Client
from astrolabe_client.api.address import list_addresses
from astrolabe_client.models import ListAddressesSort, ListAddressesSortBy

client = Client(base_url=sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:9876")
accounts = list_addresses.sync(
    client=client, limit=5, sort=ListAddressesSort.DESC, sort_by=ListAddressesSortBy.SPENDABLE
)
if not isinstance(accounts, list):
    sys.exit(f"the server answered {accounts}")
for account in accounts:
    print(account.hash_, account.balance.spendable, account.balance.currency)
