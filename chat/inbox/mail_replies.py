"""Take visitors' replies by email into their chats.

They are sent like a message in the widget, and are for persons: the visitor answers what one has
mailed, so no model answers. What isn't taken is dropped, and the log says why; who posts an email
here learns only whether to come back, so that nobody finds out which addresses exist.
"""

import hashlib
import logging

from django.conf import settings
from django.db import IntegrityError
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.accounts.mail import sender_address
from chat.accounts.principals import Principal
from chat.conversations.handoff import human_handoff, takeover
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.database import threads
from chat.documents.reader.mail_head import MailHead, ReplyAddress
from chat.documents.reader.mail_message import MailQuery, MailReply
from chat.documents.reading import PERCENT_OF_MESSAGE, read_mail, read_mail_head
from chat.errors import ChatError, NotFound, Overloaded
from chat.generations.send.plan import plan
from chat.generations.send.request import Send
from chat.generations.send.start import start_stored
from chat.inbox import mail_files, notices, reply_addresses
from chat.inbox.models import VisitorEmail
from chat.inbox.reply_addresses import NoSuchAddress
from chat.lib.text import clean
from chat.upstream import available_models

log = logging.getLogger(__name__)


class MailDropped(Exception):
    """An email isn't taken, for a reason that the log has."""


async def take(content: bytes, limit: mail_files.FileLimit) -> None:
    """Store what an email says, or drop it.

    Raise a `ChatError` only if the email can be taken later. Posting the same email again stores it
    once.
    """
    try:
        await _take(content, limit)
    except (MailDropped, NoSuchAddress) as reason:
        log.info("an inbound email was dropped: %s", str(reason))
    except ChatError as error:
        if error.retryable or error.retry_after_seconds is not None:
            raise
        log.warning("an inbound email was dropped: %s", error.code)


async def _take(content: bytes, limit: mail_files.FileLimit) -> None:
    head = await read_mail_head(content, ReplyAddress(*reply_addresses.parts()))
    token = _token_of(head)
    email = await threads.readers.run(reply_addresses.email_for, token)
    _require_sender(head, email)
    try:
        await _store(content, head, email, limit)
    except (NotFound, IntegrityError):
        now = await threads.readers.run(reply_addresses.email_for, token)
        if now.conversation.owner_id != email.conversation.owner_id:
            # The website has identified the visitor meanwhile: whoever posted it does so again.
            raise Overloaded from None
        raise


async def _store(
    content: bytes, head: MailHead, email: VisitorEmail, limit: mail_files.FileLimit
) -> None:
    """Read the rest of an email, and store it.

    Raise `NotFound` or `IntegrityError` if the chat has another owner meanwhile.
    """
    principal, key = _principal_of(email), _key_of(head, email, content)
    if await threads.readers.run(human_handoff.is_stored, email.pk, key):
        return
    await threads.readers.run(_require_storable, principal, email, key)
    reply = await read_mail(content, _query(), f"site:{principal.site}")
    if reply.problem:
        raise MailDropped(f"it can't be read ({reply.problem})")
    most = await threads.readers.run(limit.left, principal)
    files = await mail_files.stored(reply, email, principal, most)
    text = _text_of(reply, email, files)
    send = Send(key=key, text=text, is_by_email=True)
    sent = await start_stored(principal, email.pk, send, available_models.find(None))
    await threads.readers.run(limit.count, principal, files.read)
    if isinstance(sent, HandedOffMessage):
        await threads.writer.run(_notify, email)


def _require_storable(principal: Principal, email: VisitorEmail, key: str) -> None:
    """Raise a `ChatError` if no message can be stored now, before the email is read."""
    send = Send(key=key, text="", is_by_email=True)
    plan(principal, email.pk, send, available_models.find(None))


def _query() -> MailQuery:
    _local, domain = reply_addresses.parts()
    most = settings.MAX_MESSAGE_CHARS * PERCENT_OF_MESSAGE // 100
    own = [sender_address(), f"@{domain}"]
    limits = (most, mail_files.MAX_FILES, settings.MAX_VISITOR_FILE_BYTES)
    return MailQuery(own, *limits)


def _token_of(head: MailHead) -> str:
    if head.problem:
        raise MailDropped(f"it can't be read ({head.problem})")
    if head.automatic:
        raise MailDropped(f"a program sent it ({head.automatic})")
    if len(head.tokens) != 1:
        raise MailDropped(f"it has {len(head.tokens)} reply addresses")
    return head.tokens[0]


def _require_sender(head: MailHead, email: VisitorEmail) -> None:
    if [_mailbox(each) for each in head.senders] != [_mailbox(email.address)]:
        raise MailDropped("it isn't from the visitor's address")


def _mailbox(address: str) -> tuple[str, str]:
    """Return what two addresses of one mailbox have in common."""
    local, _at, domain = address.strip().lower().rpartition("@")
    return local.partition("+")[0], domain


def _text_of(reply: MailReply, email: VisitorEmail, files: mail_files.StoredFiles) -> str:
    text = clean(reply.text).strip()
    notes = []
    with translation.override(email.language):
        if reply.is_cut:
            notes.append(_("The email goes on. The rest is left out here."))
        if count := reply.left_out + files.left_out:
            words = ngettext(
                "{count} attachment was left out.", "{count} attachments were left out.", count
            )
            notes.append(words.format(count=count))
    if not (text or notes or files.parts):
        raise MailDropped("it is empty")
    written = "\n\n".join(filter(None, [text, *(f"[{each}]" for each in notes)]))
    return "\n\n".join(filter(None, [written, "".join(files.parts)]))


def _key_of(head: MailHead, email: VisitorEmail, content: bytes) -> str:
    """Return the same key for the same email, which its sender or a provider may send again."""
    identity = head.id.encode() or content
    return "email-" + hashlib.sha256(email.pk.bytes + identity).hexdigest()[:48]


def _principal_of(email: VisitorEmail) -> Principal:
    visitor = email.conversation.owner.visitor
    return Principal(
        key=f"visitor:{visitor.pk}",
        user_id=visitor.user_id,
        site=visitor.site.key,
        visitor=visitor.pk.hex,
    )


def _notify(email: VisitorEmail) -> None:
    """Notify the team, unless a person has the chat open. Posting the email again does no more."""
    if not takeover.current(email.pk):
        notices.add(email.conversation.owner.visitor.site, notices.Kind.WAITING, email.pk)
