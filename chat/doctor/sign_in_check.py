"""Check that the identity provider's discovery document fits the settings of single sign-on."""

from collections.abc import Iterator
from typing import Any

import requests
from django.conf import settings
from django.urls import reverse

from chat.accounts.mailed_links import absolute_url
from chat.accounts.single_sign_on import claims
from chat.accounts.single_sign_on.errors import InvalidAnswerError
from chat.accounts.single_sign_on.id_tokens import ALGORITHMS
from chat.accounts.single_sign_on.identity_client import discover, fetch_json
from chat.doctor.check_result import CheckResult, DoctorOptions

NAME = "Sign-in"


def check_sign_in(_options: DoctorOptions) -> Iterator[CheckResult]:
    if not settings.SSO_ISSUER:
        yield CheckResult(NAME, "ok", "Single sign-on isn't used.")
        return
    try:
        document = discover()
        keys = fetch_json(document["jwks_uri"]).get("keys")
    except requests.RequestException as error:
        message = f"{settings.SSO_ISSUER} can't be read: {type(error).__name__}"
        advice = "Compare SSO_ISSUER with the provider's issuer. It must be reachable from here."
        yield CheckResult(NAME, "problem", message, advice)
        return
    except InvalidAnswerError as error:
        message = f"{settings.SSO_ISSUER} answers, but not as its issuer should: {error}"
        advice = "Write SSO_ISSUER exactly as `issuer` in the provider's discovery document."
        yield CheckResult(NAME, "problem", message, advice)
        return
    offered = document.get("id_token_signing_alg_values_supported", ["RS256"])
    if not keys or not set(offered) & set(ALGORITHMS):
        message = f"{settings.SSO_ISSUER} signs with no public key that this site can verify."
        yield CheckResult(NAME, "problem", message, "Let it sign ID tokens with RS256.")
        return
    callback = absolute_url(reverse("single_sign_on_callback"))
    message = f"{settings.SSO_ISSUER} answers. It must allow the redirect address {callback}."
    yield CheckResult(NAME, "ok", message)
    yield from _scopes(document)
    if missing := claims.missing_groups():
        message = f"SSO_GROUPS names groups that don't exist: {', '.join(missing)}."
        yield CheckResult(NAME, "warning", message, "Create them in the admin, or correct it.")


def _scopes(document: dict[str, Any]) -> Iterator[CheckResult]:
    """Name scopes that the provider doesn't list: it refuses to sign in, or sends no groups."""
    known = document.get("scopes_supported")
    unknown = [each for each in settings.SSO_SCOPES if each not in known] if known else []
    if unknown:
        message = f"SSO_SCOPES has scopes that the provider doesn't list: {', '.join(unknown)}."
        advice = (
            f"Remove them, or add them at the provider. It has: {', '.join(map(str, known or ()))}."
        )
        yield CheckResult(NAME, "warning", message, advice)
