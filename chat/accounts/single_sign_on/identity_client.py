"""The site's identity provider, as the settings describe it, for allauth."""

from typing import Any, TypeAlias
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialToken
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from chat.accounts.mailed_links import absolute_url
from chat.accounts.single_sign_on import claims
from chat.accounts.single_sign_on.errors import InvalidAnswerError
from chat.accounts.single_sign_on.id_tokens import verified_claims

#: Allauth's `SocialLogin`.
Login: TypeAlias = Any
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


def configured_app() -> SocialApp:
    """Return the settings as allauth's model, unsaved.

    Accounts are stored under the issuer: at another one, the same subject is somebody else.
    """
    return SocialApp(
        provider=IdentityProvider.id,
        provider_id=settings.SSO_ISSUER,
        name=settings.SSO_NAME,
        client_id=settings.SSO_CLIENT_ID,
        secret=settings.SSO_CLIENT_SECRET,
        settings={
            "server_url": settings.SSO_ISSUER.rstrip("/"),
            "scope": settings.SSO_SCOPES,
            "oauth_pkce_enabled": True,
        },
    )


def discover() -> dict[str, Any]:
    """Return the provider's discovery document.

    Raise `InvalidAnswerError` if it is another issuer's or lacks an address, and requests'
    exceptions if it can't be read.
    """
    address = f"{settings.SSO_ISSUER.rstrip('/')}/.well-known/openid-configuration"
    document = fetch_json(address)
    if document.get("issuer") != settings.SSO_ISSUER:
        raise InvalidAnswerError(f"discovery document: its issuer is {document.get('issuer')!r}")
    for name in ENDPOINTS:
        _require_secure(name, document.get(name))
    if document.get("userinfo_endpoint"):
        _require_secure("userinfo_endpoint", document["userinfo_endpoint"])
    return document


def fetch_json(address: str, access_token: str = "") -> dict[str, Any]:
    """Return the JSON object at an address of the provider."""
    headers = {"Authorization": f"Bearer {access_token}"} if access_token else {}
    with get_adapter().get_requests_session() as session:
        response = session.get(address, headers=headers)
        response.raise_for_status()
        document = response.json()
    if not isinstance(document, dict):
        raise InvalidAnswerError("not a JSON object")
    return document


def _require_secure(name: str, address: Any) -> None:
    """Accept plain HTTP only of a provider on this machine, as for the issuer."""
    scheme = urlsplit(address).scheme if isinstance(address, str) else ""
    if scheme not in {"https", urlsplit(settings.SSO_ISSUER).scheme}:
        raise InvalidAnswerError(f"discovery document: {name} isn't an https address")


class IdentityProviderClient(OpenIDConnectOAuth2Adapter):
    """One sign-in. `nonce` is that of its beginning."""

    nonce = ""

    @property
    def openid_config(self) -> dict[str, Any]:
        if not hasattr(self, "_openid_config"):
            self._openid_config = discover()
        document: dict[str, Any] = self._openid_config
        return document

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return absolute_url(reverse("single_sign_on_callback"))

    def get_access_token_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        data: dict[str, Any] = super().get_access_token_data(*args, **kwargs)
        if not all(isinstance(data.get(name), str) for name in ("access_token", "id_token")):
            raise InvalidAnswerError("token endpoint: no ID token")
        return data

    def parse_token(self, data: dict[str, Any]) -> SocialToken:
        return SocialToken(token=data["access_token"])  # never stored

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **named: Any
    ) -> Login:
        identity = verified_claims(
            named["response"]["id_token"],
            fetch_json(self.openid_config["jwks_uri"]),
            issuer=settings.SSO_ISSUER,
            client_id=app.client_id,
            nonce=self.nonce,
        )
        address = self.openid_config.get("userinfo_endpoint")
        if address and not claims.is_complete(identity):
            more = fetch_json(address, token.token)
            if more.get("sub") != identity["sub"]:
                raise InvalidAnswerError("userinfo: another subject")
            identity = more | identity
        return self.get_provider().sociallogin_from_response(request, identity)


class IdentityProvider(OpenIDConnectProvider):
    """Takes from the claims what an account needs; stores only the subject."""

    oauth2_adapter_class = IdentityProviderClient

    def sociallogin_from_response(self, request: HttpRequest, response: dict[str, Any]) -> Login:
        login = super().sociallogin_from_response(request, response)
        login.claims = response
        return login

    def extract_uid(self, data: dict[str, Any]) -> str:
        return str(data["sub"])

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"email": claims.address(data), "name": claims.display_name(data)}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        email = claims.address(data)
        verified = claims.is_address_verified(data)
        return [EmailAddress(email=email, verified=verified, primary=True)] if email else []


provider_classes = [IdentityProvider]
