"""Encrypting secrets of members that must not stand in the database as they are.

The key is derived from SECRET_KEY. What an older key of SECRET_KEY_FALLBACKS encrypted can still be
read; `manage.py reencrypt_second_factors` brings it under the present one.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

#: Separates this key from others that are derived of the same secret (RFC 5869).
PURPOSE = b"runnel.second_factor"


class Unreadable(Exception):
    """It was encrypted under a key that is not given, or changed since."""


def encrypt(text: str) -> str:
    return _fernets().encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return the text; raise `Unreadable`."""
    try:
        return _fernets().decrypt(token).decode()
    except InvalidToken:
        raise Unreadable from None


def is_current(token: str) -> bool:
    """Return whether the present SECRET_KEY reads it."""
    try:
        _fernet(settings.SECRET_KEY).decrypt(token)
    except InvalidToken:
        return False
    return True


def _fernets() -> MultiFernet:
    """The first encrypts, each decrypts."""
    return MultiFernet(map(_fernet, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]))


@lru_cache(maxsize=8)
def _fernet(secret: str) -> Fernet:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(key))
