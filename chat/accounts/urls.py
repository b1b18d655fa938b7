from django.urls import include, path

from chat.accounts import views

urlpatterns = [
    path("setup/", views.setup, name="account_setup"),
    path("setup/<str:token>/", views.setup_link, name="account_setup_link"),
    path("invitation/", views.invitation, name="account_invitation"),
    path("invitation/<str:token>/", views.invitation_link, name="account_invitation_link"),
    path("logout/", views.sign_out, name="account_logout"),
    path("email/", views.addresses, name="account_email"),
    path("2fa/webauthn/login/", views.passkey_sign_in, name="mfa_login_webauthn"),
    path("2fa/", include("allauth.mfa.urls")),
    path("", include("allauth.account.urls")),
]
