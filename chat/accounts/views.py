"""The project's own pages under /accounts/. Sign-in, sign-up and passwords are allauth's."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.account.views import EmailView, SignupView, logout
from allauth.decorators import rate_limit
from allauth.mfa.webauthn.views import login_webauthn
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat.accounts.forms import FirstStaffForm, InvitedForm, SignUpForm
from chat.accounts.models import SetupLink, User
from chat.accounts.sessions.browser_data import clear_site_data
from chat.accounts.setup import make_first_staff
from chat.accounts.sign_in_limits import ACTIONS, seconds_left, wait_message
from chat.accounts.sign_up import invitations
from chat.error_responses import error_response
from chat.errors import RateLimitExceeded
from chat.lib import metrics

SESSION_KEY = "setup_token"
INVITATION_KEY = "invitation"
#: Pages of allauth that answer 404 with `PASSWORD_SIGN_IN=no`. The page to sign in remains, and
#: shows the button for single sign-on.
PASSWORD_ROUTES = {
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
}


def for_password_sign_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view that exists only if people may sign in without the identity provider."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        match: Any = request.resolver_match
        shows_button = match.url_name == "account_login" and request.method != "POST"
        if not (settings.PASSWORD_SIGN_IN or shows_button):
            raise Http404
        return view(request, *args, **kwargs)

    return checked


@require_safe
@never_cache
def setup_link(request: HttpRequest, token: str) -> HttpResponse:
    """Move the token from the address to the session.

    This keeps it out of the browser's history and `Referer`.
    """
    if not SetupLink.objects.open().with_token(token).exists():
        raise Http404
    request.session[SESSION_KEY] = token
    return redirect("account_setup")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def setup(request: HttpRequest) -> HttpResponse:
    """Show and process the form for the first superuser."""
    token = request.session.get(SESSION_KEY, "")
    if not SetupLink.objects.open().with_token(token).exists():
        raise Http404
    form = FirstStaffForm(request.POST or None)
    if form.is_valid():
        user = make_first_staff(token, form.cleaned_data["email"], form.cleaned_data["password"])
        if user is None:
            raise Http404
        request.session.flush()
        login(request, user, backend="allauth.account.auth_backends.AuthenticationBackend")
        return redirect("review_setup")
    return render(request, "accounts/setup.html", {"form": form})


@for_password_sign_in
@require_safe
@never_cache
def invitation_link(request: HttpRequest, token: str) -> HttpResponse:
    """Move the token from the address to the session, as `setup_link` does."""
    if invitations.find_invitation(token) is None:
        return render(request, "accounts/invitation_over.html", status=404)
    request.session[INVITATION_KEY] = token
    return redirect("account_invitation")


@for_password_sign_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest) -> HttpResponse:
    """Show and process the form for an invited user's account."""
    token = request.session.get(INVITATION_KEY, "")
    invited = invitations.find_invitation(token)
    if invited is None:
        return render(request, "accounts/invitation_over.html", status=404)
    form = InvitedForm(request.POST or None, invited.email)
    if form.is_valid():
        user = invitations.accept(token, form.cleaned_data["name"], form.cleaned_data["password"])
        if user is None:
            return render(request, "accounts/invitation_over.html", status=404)
        request.session.flush()
        login(request, user, backend="allauth.account.auth_backends.AuthenticationBackend")
        return redirect("chat")
    context = {"form": form, "email": invited.email}
    return render(request, "accounts/invitation.html", context)


class SignUpView(SignupView):
    """Allauth's sign-up page, for two requests with one address at the same moment."""

    def form_valid(self, form: SignUpForm) -> Any:
        try:
            return super().form_valid(form)
        except IntegrityError:
            try:
                form.clean_email()  # finds the account that the other request created
            except ValidationError as error:
                form.add_error("email", error)
                return self.form_invalid(form)
            return super().form_valid(form)


_sign_up: Callable[..., Any] = SignUpView.as_view()
sign_up = for_password_sign_in(_sign_up)


class AddressesView(EmailView):
    """Allauth's page of addresses.

    Another account's address cannot be made the primary one.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        chosen = request.POST.get("email", "") if "action_primary" in request.POST else ""
        address = EmailAddress.objects.filter(user=request.user.pk, email=chosen.lower()).first()
        if problem := address and _not_main_because(address):
            messages.error(request, problem)
            return redirect("account_email")
        return super().post(request, *args, **kwargs)


def _not_main_because(address: EmailAddress) -> str:
    """Return why `address` cannot be the primary one; empty if it can.

    Until it is confirmed, nothing shows whether another account has it.
    """
    if not address.verified and app_settings.EMAIL_VERIFICATION != "none":
        return _("Confirm this address first by opening the link we sent to it.")
    if User.objects.filter(email__same=address.email).exclude(pk=address.user_id).exists():
        return _("This is another account's primary address.")
    return ""


addresses = AddressesView.as_view()


#: Rate-limited, because requesting a challenge creates a session, a row that stays for an hour.
passkey_sign_in = for_password_sign_in(
    rate_limit(action="passkey_sign_in", limit_get=True)(login_webauthn)
)


def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out with allauth's page, and make the browser forget what it has of the account."""
    response: HttpResponse = logout(request)
    if request.method == "POST":
        clear_site_data(response)
    return response


def rate_limited(request: HttpRequest) -> HttpResponse:
    """Show the page again with the entered data, except the password, and when to try again."""
    metrics.record_shed("sign_in")
    match: Any = request.resolver_match
    address = request.POST.get("login") or request.POST.get("email", "")
    action = ACTIONS.get(match.url_name)
    seconds = seconds_left(request, action, address.lower()) if action else 60
    view = getattr(match.func, "view_class", None)
    if view is None or request.method != "POST":
        return error_response(
            request, RateLimitExceeded(wait_message(seconds), retry_after_seconds=seconds)
        )
    messages.error(request, wait_message(seconds))
    request.method = "GET"
    typed = {"login": address, "email": address}
    response: HttpResponse = view.as_view(initial=typed)(request, *match.args, **match.kwargs)
    request.method = "POST"
    if response.status_code == 200:
        response.status_code = RateLimitExceeded.status
        response["Retry-After"] = str(seconds)
    return response
