"""Send people to the identity provider, and sign them in when they return."""

import secrets
from typing import Any

import requests
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.decorators import rate_limit
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.accounts.single_sign_on.adapter import SignInAdapter
from chat.accounts.single_sign_on.errors import InvalidAnswerError
from chat.accounts.single_sign_on.identity_client import (
    IdentityProvider,
    IdentityProviderClient,
    configured_app,
)


def _start(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider, with a page that moves on by itself.

    A redirect of a form would need `form-action` in the content security policy for the provider,
    and for wherever it redirects to in turn.
    """
    _require_configured()
    provider = IdentityProvider(request, app=configured_app())
    nonce = secrets.token_urlsafe(24)
    try:
        redirect: Any = provider.redirect(
            request,
            AuthProcess.LOGIN,
            next_url=get_next_redirect_url(request),
            auth_params={"nonce": nonce},
            nonce=nonce,
        )
    except (requests.RequestException, InvalidAnswerError) as error:
        try:
            SignInAdapter(request).on_authentication_error(request, provider, exception=error)
        except ImmediateHttpResponse as refusal:
            return refusal.response
        raise
    return render(request, "account/single_sign_on.html", {"url": redirect.url})


#: Rate-limited, because each start stores a session and asks the provider.
start = require_POST(never_cache(rate_limit(action="single_sign_on")(_start)))


class _Callback(OAuth2CallbackView):
    """Allauth's view, which also tells the client the nonce that the sign-in began with."""

    adapter: IdentityProviderClient

    def _get_state(self, request: HttpRequest, provider: IdentityProvider) -> Any:
        state, response = super()._get_state(request, provider)
        self.adapter.nonce = (state or {}).get("nonce", "")
        return state, response


@require_safe
@never_cache
def callback(request: HttpRequest) -> HttpResponse:
    """Sign in whom the provider sends back, or say why not."""
    _require_configured()
    client = IdentityProviderClient(request, settings.SSO_ISSUER)
    response: HttpResponse = _Callback.adapter_view(client)(request)
    return response


def _require_configured() -> None:
    if not settings.SSO_ISSUER:
        raise Http404
