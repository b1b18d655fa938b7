"""A small OpenID Connect provider: code flow with PKCE, state, nonce and RS256, over real HTTP.

It signs in `person` without asking. Tests change the claims, or break one rule of the protocol.
"""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "runnel", "s3cret-of-the-client"
KEY_ID = "key-1"


def _new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class IdentityProvider:
    """What tests see of the provider, and change."""

    key, other_key = _new_key(), _new_key()

    def __init__(self) -> None:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider._get(self)

            def do_POST(self) -> None:
                provider._post(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        #: Claims of whoever signs in.
        self.person: dict[str, Any] = {}
        #: Claims that only userinfo has.
        self.userinfo: dict[str, Any] = {}
        #: Changes of the ID token's claims before it is signed.
        self.token_claims: dict[str, Any] = {}
        #: Changes of the discovery document.
        self.document: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        #: An error that the authorization endpoint returns, such as access_denied.
        self.error = ""
        self.requests: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}

    def become(self, subject: str, **claims: Any) -> None:
        """Let the next person to sign in be this one, with a confirmed address by default."""
        email = {"email": f"{subject}@example.org", "email_verified": True, "name": subject.title()}
        self.person = {"sub": subject} | email | claims

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self.key, "RS256", headers={"kid": KEY_ID})

    def signed_by_another(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self.other_key, "RS256", headers={"kid": KEY_ID})

    def unsigned(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, None, "none", headers={"kid": KEY_ID})

    def signed_with_public_key(self, claims: dict[str, Any]) -> str:
        """Sign with the public key as a shared secret, which a careless verifier accepts."""
        header = {"alg": "HS256", "typ": "JWT", "kid": KEY_ID}
        parts = [_b64(json.dumps(each).encode()) for each in (header, claims)]
        secret = json.dumps(self._jwk()).encode()
        signature = hashlib.sha256(secret + ".".join(parts).encode()).digest()
        return ".".join([*parts, _b64(signature)])

    # --- HTTP -------------------------------------------------------------------------------------

    def _get(self, handler: BaseHTTPRequestHandler) -> None:
        address = urlsplit(handler.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        self.requests.append(address.path)
        if address.path == "/.well-known/openid-configuration":
            _json(handler, self._discovery() | self.document)
        elif address.path == "/keys":
            _json(handler, {"keys": [self._jwk()]})
        elif address.path == "/authorize":
            self._authorize(handler, query)
        elif address.path == "/userinfo":
            subject = handler.headers["Authorization"].removeprefix("Bearer token-of-")
            _json(handler, {"sub": subject} | self.userinfo)
        else:
            _json(handler, {}, 404)

    def _discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def _jwk(self) -> dict[str, Any]:
        public = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return public | {"kid": KEY_ID, "use": "sig", "alg": "RS256"}

    def _authorize(self, handler: BaseHTTPRequestHandler, query: dict[str, str]) -> None:
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT_ID
        assert "openid" in query["scope"].split()
        assert query["code_challenge_method"] == "S256"
        if self.error:
            answer = {"error": self.error}
        else:
            code = f"code-{len(self._codes)}"
            self._codes[code] = query
            answer = {"code": code}
        target = f"{query['redirect_uri']}?{urlencode(answer | {'state': query['state']})}"
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    def _post(self, handler: BaseHTTPRequestHandler) -> None:
        self.requests.append(handler.path)
        body = handler.rfile.read(int(handler.headers["Content-Length"])).decode()
        sent = {name: values[0] for name, values in parse_qs(body).items()}
        expected = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        begun = self._codes.pop(sent.get("code", ""), None)
        challenge = _b64(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())
        if (
            begun is None
            or handler.headers["Authorization"] != f"Basic {expected}"
            or challenge != begun["code_challenge"]
            or sent["redirect_uri"] != begun["redirect_uri"]
        ):
            _json(handler, {"error": "invalid_grant"}, 400)
            return
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": begun["nonce"],
        }
        token = self.sign(claims | self.person | self.token_claims)
        subject = self.person["sub"]
        _json(
            handler,
            {"access_token": f"token-of-{subject}", "token_type": "Bearer", "id_token": token},
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _json(handler: BaseHTTPRequestHandler, value: Any, status: int = 200) -> None:
    body = json.dumps(value).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
