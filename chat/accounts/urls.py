from allauth.account.urls import urlpatterns as allauth_patterns
from django.urls import URLPattern, include, path

from chat.accounts import views
from chat.accounts.single_sign_on import views as sign_in_views


def _without_password_routes(patterns: list[URLPattern]) -> list[URLPattern]:
    """Guard the pages of allauth that only people with a password need."""
    return [
        URLPattern(
            each.pattern, views.for_password_sign_in(each.callback), each.default_args, each.name
        )
        if each.name in views.PASSWORD_ROUTES
        else each
        for each in patterns
    ]


urlpatterns = [
    path("setup/", views.setup, name="account_setup"),
    path("setup/<str:token>/", views.setup_link, name="account_setup_link"),
    path("invitation/", views.invitation, name="account_invitation"),
    path("invitation/<str:token>/", views.invitation_link, name="account_invitation_link"),
    path("sso/", sign_in_views.start, name="single_sign_on"),
    path("sso/callback/", sign_in_views.callback, name="single_sign_on_callback"),
    path("signup/", views.sign_up, name="account_signup"),
    path("logout/", views.sign_out, name="account_logout"),
    path("email/", views.addresses, name="account_email"),
    path("2fa/webauthn/login/", views.passkey_sign_in, name="mfa_login_webauthn"),
    path("2fa/", include("allauth.mfa.urls")),
    path("", include(_without_password_routes(allauth_patterns))),
]
