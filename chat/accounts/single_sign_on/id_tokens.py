"""Verify ID tokens as OpenID Connect Core 1.0 (section 3.1.3.7) requires.

Allauth leaves the signature out, which the standard permits for tokens that came over TLS, and
knows no nonce. Here, all is checked.
"""

from typing import Any

import jwt
from django.utils.crypto import constant_time_compare

from chat.accounts.single_sign_on.errors import FutureTokenError, InvalidAnswerError

#: Signatures with a public key only: `none` and shared secrets are refused.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
LEEWAY_SECONDS = 60  # clocks differ
MAX_SUBJECT_LENGTH = 191  # that of the column which stores it


def verified_claims(
    token: str, keys: Any, *, issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """Return the token's claims. Raise `InvalidAnswerError` if anything is wrong with it."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key=_signing_key(token, keys),
            algorithms=ALGORITHMS,
            issuer=issuer,
            audience=client_id,
            leeway=LEEWAY_SECONDS,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except jwt.ImmatureSignatureError:
        raise FutureTokenError("ID token: from the future, so the clocks differ") from None
    except (jwt.PyJWTError, TypeError, ValueError) as error:
        raise InvalidAnswerError(f"ID token: {type(error).__name__}") from None
    parties = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if claims.get("azp", client_id if len(parties) == 1 else None) != client_id:
        raise InvalidAnswerError("ID token: made for another client")
    if not nonce or not constant_time_compare(str(claims.get("nonce", "")), nonce):
        raise InvalidAnswerError("ID token: wrong nonce")
    if not 0 < len(claims["sub"]) <= MAX_SUBJECT_LENGTH:
        raise InvalidAnswerError("ID token: no usable subject")
    return claims


def _signing_key(token: str, keys: Any) -> jwt.PyJWK:
    """Return the provider's key that the token's header names; without a name, its only one."""
    key_id = jwt.get_unverified_header(token).get("kid")
    matching = [
        each
        for each in jwt.PyJWKSet.from_dict(keys).keys
        if each.public_key_use in {None, "sig"} and key_id in {None, each.key_id}
    ]
    if len(matching) != 1:
        raise jwt.InvalidKeyError
    return matching[0]
