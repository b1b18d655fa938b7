"""Encrypt secrets that must not be stored in plain text.

Keys are derived from SECRET_KEY, one for each purpose. Values encrypted under a key of
SECRET_KEY_FALLBACKS stay readable; `manage.py reencrypt_second_factors` encrypts them under the
current one.
"""

import base64
from dataclasses import dataclass
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class Unreadable(Exception):
    """The value was encrypted under an unknown key, or has been altered."""


@dataclass(frozen=True, slots=True)
class SecretBox:
    """Encrypt and decrypt values of one purpose, which separates their key from others.

    See RFC 5869 for `purpose`.
    """

    purpose: bytes

    def encrypt(self, text: str) -> str:
        """Return the text encrypted under the current SECRET_KEY."""
        return self._fernets().encrypt(text.encode()).decode()

    def decrypt(self, token: str) -> str:
        """Return the decrypted text; raise `Unreadable`."""
        try:
            return self._fernets().decrypt(token).decode()
        except InvalidToken:
            raise Unreadable from None

    def is_current(self, token: str) -> bool:
        """Return whether the value is encrypted under the current SECRET_KEY."""
        try:
            _fernet(settings.SECRET_KEY, self.purpose).decrypt(token)
        except InvalidToken:
            return False
        return True

    def _fernets(self) -> MultiFernet:
        """Return all keys. The first one encrypts, each can decrypt."""
        secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        return MultiFernet([_fernet(secret, self.purpose) for secret in secrets])


@lru_cache(maxsize=16)
def _fernet(secret: str, purpose: bytes) -> Fernet:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(key))
