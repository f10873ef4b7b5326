#!/bin/sh
# The key surface with curl. ASTROLABE_KEY is optional: without it the free plan counts by address.
set -eu
url=${ASTROLABE_URL:-http://127.0.0.1:9876}
ask() { curl -sS --fail-with-body ${ASTROLABE_KEY:+-H "apikey: $ASTROLABE_KEY"} "$@"; echo; }

ask "$url/v1/head?pretty"
ask "$url/v1/tx?sort=desc&limit=2&status=success"
ask "$url/v1/search?query=390"
# 204: there is no such block, and that is the whole answer.
curl -sS -o /dev/null -w '%{http_code}\n' "$url/v1/block/999999999"
