"""Prints the newest blobs of a network: latest_blobs.py [BASE_URL]"""

import sys

from astrolabe_client import Client
from astrolabe_client.api.blob import list_blobs

client = Client(base_url=sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:9876")
blobs = list_blobs.sync(client=client, limit=5)
if not isinstance(blobs, list):
    sys.exit(f"the server answered {blobs}")
for blob in blobs:
    print(blob.height, blob.size, blob.commitment)
