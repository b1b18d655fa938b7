"""Secrets of authenticator apps and recovery codes are encrypted from now on, and what there is.

How a key is derived stands here as well as in encryption.py: a migration imports
nothing that may change.
"""

import base64
from collections.abc import Callable
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import migrations


def fernets() -> MultiFernet:
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    hkdfs = [HKDF(SHA256(), 32, salt=None, info=b"runnel.second_factor") for _ in secrets]
    keys = [hkdf.derive(each.encode()) for hkdf, each in zip(hkdfs, secrets, strict=True)]
    return MultiFernet(Fernet(base64.urlsafe_b64encode(key)) for key in keys)


def encrypt(apps: Any, _schema_editor: Any) -> None:
    cipher = fernets()
    _change(apps, lambda text: text if _is_token(text) else cipher.encrypt(text.encode()).decode())


def decrypt(apps: Any, _schema_editor: Any) -> None:
    cipher = fernets()
    _change(apps, lambda text: cipher.decrypt(text).decode() if _is_token(text) else text)


def _is_token(text: str) -> bool:
    """Tokens begin with the byte 0x80; plain ones are base32, hexadecimal or digits."""
    return text.startswith("gAAAA")


def _change(apps: Any, change: Callable[[str], str]) -> None:
    authenticators = apps.get_model("mfa", "Authenticator").objects
    for each in authenticators.filter(type__in=["totp", "recovery_codes"]).iterator():
        changed = {n: change(each.data[n]) for n in ("secret", "seed") if n in each.data}
        if "migrated_codes" in each.data:
            changed["migrated_codes"] = [change(code) for code in each.data["migrated_codes"]]
        each.data = each.data | changed
        each.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("chat", "0032_access_log_of_exports_and_refusals"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(encrypt, decrypt)]
