"""What allauth's second factors ask of the site."""

from allauth.mfa.adapter import DefaultMFAAdapter
from django.utils.translation import gettext_lazy as _

from chat.accounts import encryption
from chat.errors import ChatError


class SecondFactorUnreadable(ChatError):
    code, status = "second_factor_unreadable", 503
    text = _(
        "Your second factor can't be checked, because this site's secret key has changed."
        " Contact the people who run it."
    )


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return encryption.decrypt(encrypted_text)
        except encryption.Unreadable:
            detail = "SECRET_KEY has changed without SECRET_KEY_FALLBACKS"
            raise SecondFactorUnreadable(detail=detail) from None
