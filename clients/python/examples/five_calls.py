"""Five calls with a client that openapi-python-client made: five_calls.py [BASE_URL]"""

import sys

from astrolabe_client import Client
from astrolabe_client.api.blob import list_blobs
from astrolabe_client.api.block import get_block, list_blocks
from astrolabe_client.api.gas import get_gas_price
from astrolabe_client.api.general import get_head
from astrolabe_client.models import Block, GasPrice, State

client = Client(base_url=sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:9876")

head = get_head.sync(client=client)
assert isinstance(head, State)
print("head", head.chain_id, head.last_height)

blocks = list_blocks.sync(client=client, limit=3)
assert isinstance(blocks, list)
print("blocks", *(block.height for block in blocks))

block = get_block.sync(client=client, height=7)
assert isinstance(block, Block)
print("block", block.height, block.hash_)

blobs = list_blobs.sync(client=client, limit=1)
assert isinstance(blobs, list)
print("blob", blobs[0].id, blobs[0].size)

gas = get_gas_price.sync(client=client)
assert isinstance(gas, GasPrice)
print("gas", gas.median)
