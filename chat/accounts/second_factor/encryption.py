"""Encrypt the secrets of second factors."""

from chat.database.encrypted_text import SecretBox, Unreadable

__all__ = ["Unreadable", "decrypt", "encrypt", "is_current"]

_box = SecretBox(b"runnel.second_factor")
encrypt, decrypt, is_current = _box.encrypt, _box.decrypt, _box.is_current
