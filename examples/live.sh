#!/bin/sh
# Live blocks as server-sent events, for five seconds. A client that comes back sends Last-Event-ID and misses nothing.
set -eu
url=${ASTROLABE_URL:-http://127.0.0.1:9876}
curl -sS -N --max-time "${SECONDS_TO_LISTEN:-5}" "$url/v1/sse?channel=head,blocks" || test $? -eq 28
