"""Sign archives with a key that is made from `AUDIT_KEY`, so that a copy can be proved authentic.

Anybody can verify a signature with the public key, which staff find beside the requests.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

KEY_BYTES = 32
PURPOSE = b"runnel.data_requests"


def sign(content: bytes) -> bytes:
    """Return the Ed25519 signature."""
    return _key().sign(content)


def is_authentic(content: bytes, signature: bytes) -> bool:
    """Return whether this site has signed the content, with its present key."""
    try:
        _key().public_key().verify(signature, content)
    except InvalidSignature:
        return False
    return True


def public_key() -> str:
    """Return the key that verifies signatures, as PEM."""
    public = _key().public_key()
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def _key() -> Ed25519PrivateKey:
    secret = (settings.AUDIT_KEY or settings.SECRET_KEY).encode()
    seed = HKDF(SHA256(), KEY_BYTES, salt=None, info=PURPOSE).derive(secret)
    return Ed25519PrivateKey.from_private_bytes(seed)
