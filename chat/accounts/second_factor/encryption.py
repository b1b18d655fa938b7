"""Encrypt secrets that must not be stored in plain text.

The key is derived from SECRET_KEY. Values encrypted under a key of SECRET_KEY_FALLBACKS stay
readable; `manage.py reencrypt_second_factors` encrypts them under the current one.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

#: Separates this key from others derived from the same secret (RFC 5869).
PURPOSE = b"runnel.second_factor"


class Unreadable(Exception):
    """The value was encrypted under an unknown key, or has been altered."""


def encrypt(text: str) -> str:
    """Return the text encrypted under the current SECRET_KEY."""
    return _fernets().encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return the decrypted text; raise `Unreadable`."""
    try:
        return _fernets().decrypt(token).decode()
    except InvalidToken:
        raise Unreadable from None


def is_current(token: str) -> bool:
    """Return whether the value is encrypted under the current SECRET_KEY."""
    try:
        _fernet(settings.SECRET_KEY).decrypt(token)
    except InvalidToken:
        return False
    return True


def _fernets() -> MultiFernet:
    """Return all keys. The first one encrypts, each can decrypt."""
    return MultiFernet(map(_fernet, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]))


@lru_cache(maxsize=8)
def _fernet(secret: str) -> Fernet:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(key))
