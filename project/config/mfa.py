"""Name our parts of allauth's multi-factor authentication. Part of settings.py."""

MFA_ADAPTER = "chat.accounts.second_factor.mfa_adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    name: f"chat.accounts.second_factor.passkey_forms.{form}"
    for name, form in (
        ("add_webauthn", "AddPasskeyForm"),
        ("edit_webauthn", "RenamePasskeyForm"),
        ("login_webauthn", "PasskeyLoginForm"),
        ("authenticate_webauthn", "PasskeyForm"),
        ("reauthenticate_webauthn", "PasskeyConfirmationForm"),
    )
}
