"""Why a sign-in through the identity provider fails, and the page that says so."""

from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from chat.error_responses import ERROR_CODE
from chat.errors import ChatError
from chat.lib import metrics


class SignInProviderUnavailable(ChatError):
    code, status, retryable = "sign_in_provider_unavailable", 503, True
    text = _("The sign-in service isn't responding. Try again in a few minutes.")


class SignInProviderInvalid(ChatError):
    code, status = "sign_in_provider_invalid", 502
    text = _(
        "The response from the sign-in service couldn't be verified. Try again. If this "
        "continues, contact the site administrator."
    )


class SignInExpired(ChatError):
    code, status = "sign_in_expired", 400
    text = _("This sign-in has expired or was already used. Start again.")


class SignInRefused(ChatError):
    code, status = "sign_in_refused", 403
    text = _("The sign-in was canceled, or the sign-in service doesn't give you access.")


class InvalidAnswerError(OAuth2Error):
    """What the provider sent isn't valid. The message is ours and safe to log."""


class FutureTokenError(InvalidAnswerError):
    """An ID token is from the future, so the clocks of site and provider differ."""


def refusal_page(request: HttpRequest, error: ChatError) -> HttpResponse:
    """Return the page that says why somebody isn't signed in, and leads back."""
    metrics.record_error(error.code, "request")
    request.META[ERROR_CODE] = error.code
    response = render(
        request, "account/single_sign_on_error.html", {"error": error}, status=error.status
    )
    response["Cache-Control"] = "no-store"
    return response
