from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from chat.errors import BadRequest, Forbidden, NotAuthenticated


class InvalidApiKey(NotAuthenticated):
    code = "invalid_api_key"
    # The API is in English. Some clients recognize the error by these first words of OpenAI's.
    text = lazystr("Incorrect API key provided. Create one in the site's settings.")


class AccountSuspended(Forbidden):
    code = "account_suspended"
    text = lazystr("The account of this API key is suspended or not active.")


class ApiDisabled(Forbidden):
    code = "api_disabled"
    text = _("This site's administrator has turned off API keys for this account.")


class WrongKeyKind(Forbidden):
    code = "wrong_key_kind"
    text = lazystr("This is a service key. It opens only the addresses below /v1/review/.")


class TooManyKeys(BadRequest):
    code = "too_many_keys"
    text = _("You have reached the maximum number of API keys. Revoke one first.")
