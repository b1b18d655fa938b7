"""The text of an API key: a prefix that secret scanners know, random characters and a checksum.

The checksum tells a key from other text without a look into the database, as GitHub's does.
"""

import hashlib
import re
import secrets
import string
import zlib

PREFIX = "rnl_"
ALPHABET = string.digits + string.ascii_letters
RANDOM_CHARS = 36  # 214 bits
CHECKSUM_CHARS = 6
SHOWN_CHARS = len(PREFIX) + 6
WELL_FORMED = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{RANDOM_CHARS + CHECKSUM_CHARS}}}")


def new_key() -> str:
    chosen = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARS))
    return f"{PREFIX}{chosen}{_checksum(chosen)}"


def is_well_formed(text: str) -> bool:
    """Return whether `text` has the form of a key, checksum included."""
    if not WELL_FORMED.fullmatch(text):
        return False
    chosen = text[len(PREFIX) : -CHECKSUM_CHARS]
    return text.endswith(_checksum(chosen))


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _checksum(chosen: str) -> str:
    number = zlib.crc32(chosen.encode())
    digits = []
    for _ in range(CHECKSUM_CHARS):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)
