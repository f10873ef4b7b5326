"""Addresses with a valid checksum for schemathesis: a pattern cannot describe one (see fuzz-api.mjs)."""

import schemathesis
from hypothesis import strategies as st

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def checksum(prefix: str, words: list[int]) -> list[int]:
    values = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + words + [0] * 6
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate(GENERATORS):
            if top >> i & 1:
                state ^= generator
    return [(state ^ 1) >> 5 * (5 - i) & 31 for i in range(6)]


def encode(prefix: str, address: bytes) -> str:
    # Five bits a word; the last one is filled up with zeros.
    bits = "".join(f"{byte:08b}" for byte in address)
    bits += "0" * (-len(bits) % 5)
    words = [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]
    return prefix + "1" + "".join(ALPHABET[word] for word in words + checksum(prefix, words))


def addresses(prefix: str, lengths: list[int]):
    return st.sampled_from(lengths).flatmap(lambda n: st.binary(min_size=n, max_size=n)).map(lambda b: encode(prefix, b))


schemathesis.openapi.format("bech32", addresses("celestia", [20, 32]) | addresses("celestiavaloper", [20]))
