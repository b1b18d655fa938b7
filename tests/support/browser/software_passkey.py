"""Implement a passkey in software: it answers WebAuthn challenges like a browser and device."""

import json
import secrets
import struct
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40


class SoftwarePasskey:
    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(16)
        self._user_handle = b""

    def create(self, options: Any) -> str:
        """Return the credential that `navigator.credentials.create` would return."""
        asked = options["publicKey"]
        self._user_handle = websafe_decode(asked["user"]["id"])
        public_key = cbor.encode(ES256.from_cryptography_key(self._key.public_key()))
        credential = bytes(16) + struct.pack(">H", len(self._id)) + self._id + public_key
        data = self._authenticator_data(asked["rp"]["id"], HAS_CREDENTIAL) + credential
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        response = {
            "clientDataJSON": websafe_encode(self._client_data("webauthn.create", asked)),
            "attestationObject": websafe_encode(attestation),
        }
        return self._credential(response, {"credProps": {"rk": True}})

    def get(self, options: Any) -> str:
        """Return the credential that `navigator.credentials.get` would return."""
        asked = options["publicKey"]
        data = self._authenticator_data(asked["rpId"])
        client_data = self._client_data("webauthn.get", asked)
        signed = data + sha256(client_data).digest()
        response = {
            "clientDataJSON": websafe_encode(client_data),
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(self._key.sign(signed, ec.ECDSA(SHA256()))),
            "userHandle": websafe_encode(self._user_handle),
        }
        return self._credential(response, {})

    def _authenticator_data(self, rp_id: str, flags: int = 0) -> bytes:
        flags |= USER_PRESENT | USER_VERIFIED
        return sha256(rp_id.encode()).digest() + struct.pack(">BI", flags, 0)

    def _client_data(self, kind: str, asked: Any) -> bytes:
        data = {"type": kind, "challenge": asked["challenge"], "origin": self._origin}
        return json.dumps(data).encode()

    def _credential(self, response: dict[str, str], results: dict[str, Any]) -> str:
        encoded = websafe_encode(self._id)
        return json.dumps({
            "id": encoded, "rawId": encoded, "type": "public-key", "response": response,
            "clientExtensionResults": results,
        })  # fmt: skip
