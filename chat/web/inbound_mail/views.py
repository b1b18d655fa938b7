"""Receive emails: as they are, or in the requests of providers.

Cloudflare's email workers and mail servers send the bytes of the email; Postmark has them in JSON,
Mailgun and SendGrid in a form.
"""

import base64
import binascii
import secrets

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from msgspec import Struct, field

from chat.accounts.principals import address_for_limits
from chat.errors import BadRequest, NotFound
from chat.inbox import mail_replies
from chat.web.http import refused_requests
from chat.web.http.json_body import RequestTooLong, decode_body
from chat.web.http.origin import FORMS
from chat.web.http.shared_limits import arequire_rate
from chat.web.http.visitor_files import EmailFiles

MAILS_PER_MINUTE = 300
#: Fields of Mailgun, and of SendGrid.
FORM_FIELDS = ("body-mime", "email")


class WrongMailSecret(BadRequest):
    """The request doesn't have the secret of inbound mail."""

    code, status = "wrong_mail_secret", 401
    text = _("The secret of inbound mail is missing or wrong.")


class NoMail(BadRequest):
    """The request has no email."""

    code = "no_email"
    text = _("Send the whole email, as it arrived.")


class _PostmarkRequest(Struct):
    raw_email: str = field(name="RawEmail", default="")


@csrf_exempt  # the secret authenticates
@require_POST
async def receive(request: HttpRequest) -> JsonResponse:
    """Take an email. Whether it was dropped is only in the log."""
    if not settings.INBOUND_MAIL_ADDRESS:
        raise NotFound
    with refused_requests.count_refusals(address_for_limits(request)):
        _require_secret(request)
    await arequire_rate("inbound_mails", "all", MAILS_PER_MINUTE)
    content = await _mail_in(request)
    if not content.strip():
        raise NoMail
    await mail_replies.take(content, EmailFiles())
    return JsonResponse({"accepted": True})


def _require_secret(request: HttpRequest) -> None:
    scheme, _space, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "basic":
        given = _password_in(given)
    elif scheme.lower() != "bearer":
        given = ""
    if not secrets.compare_digest(given.encode(), settings.INBOUND_MAIL_SECRET.encode()):
        raise WrongMailSecret


def _password_in(credentials: str) -> str:
    try:
        decoded = base64.b64decode(credentials, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return decoded.partition(":")[2]


async def _mail_in(request: HttpRequest) -> bytes:
    if request.content_type in FORMS:
        form = await sync_to_async(lambda: request.POST)()
        return next((str(form[each]) for each in FORM_FIELDS if form.get(each)), "").encode()
    content: bytes = await sync_to_async(request.read)()  # `body` has the limit of other requests
    if len(content) > settings.MAX_INBOUND_MAIL_BYTES:
        raise RequestTooLong
    if request.content_type == "application/json":
        return (await decode_body(content, _PostmarkRequest)).raw_email.encode()
    return content
