#!/bin/sh
# What the paid surface offers: a price list that needs no payment, and the offer in the answer to an unpaid request.
# Paying needs a signature, so it is left to the official clients (paid.ts, or `astrolabe pay-demo`).
set -eu
url=${ASTROLABE_PAID_URL:-http://127.0.0.1:9878}
curl -sS "$url/llms.txt" | head -n 20
curl -sS -D - -o /dev/null "$url/v1/head" | grep -i -E '^(HTTP|www-authenticate|payment-required)' | cut -c1-120
