"""Parse the body of `POST /chat/…/messages`."""

import re
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import asdict

from chat.conversations.page_context import PageContext
from chat.conversations.sizes.limits import require_length
from chat.conversations.tool_calls.models import TOOL_NAME_LENGTH
from chat.errors import (
    BadRequest,
    CollectionUnavailable,
    PersonaUnavailable,
    ProjectUnavailable,
)
from chat.generations.send.request import MessageId, Send
from chat.knowledge.models import MAX_COLLECTIONS
from chat.lib.catalogue import REASONING_EFFORTS
from chat.lib.text import clean
from chat.personas.access import uuid_of
from chat.web.http.json_body import decode_body

MAX_TOOLS = 50
KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
PARENT = re.compile(r"[0-9]{1,18}")


async def read_send(body: bytes) -> Send:
    """Parse `body`. Raise `BadRequest` with a readable message if it is invalid."""
    return await decode_body(body, Send, _checked_for_member)


class _VisitorsSend(Struct, forbid_unknown_fields=True):
    """A visitor's send; the site determines the model, persona and parameters."""

    key: str
    text: str | None = None
    parent: MessageId | None = None
    retry: MessageId | None = None
    resume: MessageId | None = None
    context: PageContext | None = None


async def read_visitors_send(body: bytes) -> Send:
    values = asdict(await decode_body(body, _VisitorsSend))
    context: PageContext | None = values.pop("context")
    return _checked(Send(**values, page_context=context.as_stored() if context else ""))


def read_form(form: QueryDict) -> Send:
    """Parse the form that browsers without scripts submit."""
    fields = {name: str(value) for name, value in form.items()}
    if PARENT.fullmatch(fields.get("resume", "")):
        return _checked(Send(key=fields.get("key", ""), resume=int(fields["resume"])))
    if PARENT.fullmatch(fields.get("beside", "")):
        return _checked(Send(key=fields.get("key", ""), beside=int(fields["beside"])))
    model = fields.get("model") or None
    parent = fields.get("parent", "")
    text = clean(fields.get("message", "").replace("\r\n", "\n"))
    shown = int(parent) if PARENT.fullmatch(parent) else None
    named = map(str, form.getlist("collections"))
    collections = tuple(uuid_of(each, CollectionUnavailable) for each in named)
    persona = uuid_of(fields["persona"], PersonaUnavailable) if fields.get("persona") else None
    project = uuid_of(fields["project"], ProjectUnavailable) if fields.get("project") else None
    effort: Any = fields.get("reasoning_effort") or None
    if effort not in (None, *REASONING_EFFORTS):
        raise BadRequest
    return _checked(
        Send(
            key=fields.get("key", ""),
            text=text,
            model=model,
            compare_with=fields.get("compare_with") or None,
            is_blind="is_blind" in fields,
            parent=shown,
            persona=persona,
            project=project,
            collections=collections if "collections_shown" in fields else None,
            site_tools=tuple(map(str, form.getlist("site_tools")))
            if "tools_shown" in fields
            else None,
            reasoning_effort=effort,
        )
    )


def sending_tab(request: HttpRequest) -> str:
    """Return the name of the sending page, so that it can ignore its own notifications."""
    name = request.headers.get("X-Tab", "")
    return name if KEY.fullmatch(name) else ""


def _checked_for_member(send: Send) -> Send:
    if send.page_context:
        raise BadRequest(_("page_context: allowed only in chats on a website. Leave it out."))
    if send.is_by_email:
        raise BadRequest
    return _checked(send)


def read_key(key: str) -> str:
    """Return an idempotency key. Raise `BadRequest` if it is none."""
    if not KEY.fullmatch(key):
        raise BadRequest(_("key: must be 8 to 64 letters and digits."))
    return key


def _checked(send: Send) -> Send:
    read_key(send.key)
    kinds = [send.text, send.retry, send.resume, send.beside]
    if sum(each is not None for each in kinds) != 1:
        raise BadRequest(_("Send a text, or specify the answer to retry or continue."))
    if send.compare_with is not None and not (send.text and send.model):
        raise BadRequest(_("Choose two different models to compare."))
    if send.text is not None and not send.text.strip():
        raise BadRequest(_("There's no message to answer. Write one first."))
    if len(send.collections or ()) > MAX_COLLECTIONS:
        words = _("You can choose at most {most} collections.")
        raise BadRequest(words.format(most=MAX_COLLECTIONS))
    if len(send.site_tools or ()) > MAX_TOOLS or any(
        len(each) > TOOL_NAME_LENGTH for each in send.site_tools or ()
    ):
        raise BadRequest(_("site_tools: names of tools of this site."))
    require_length(send.text or "")
    return send
