"""Mail visitors what persons answered while they were away, and chats that they ask for."""

from collections.abc import Sequence

from django.core import signing
from django.core.mail import EmailMessage
from django.db import connections
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.accounts import mail
from chat.accounts.mailed_links import absolute_url
from chat.conversations.models import Conversation, Message
from chat.errors import BadRequest, ChatError, NotFound
from chat.import_export.exported_turns import ShownNames
from chat.import_export.markdown import conversation_markdown
from chat.inbox import reply_addresses
from chat.inbox.models import VisitorEmail
from chat.widget_sites import profiles
from chat.widget_sites.models import WidgetSite

SALT = "visitor-email"


#: Mail servers take few megabytes, and a mail is in memory several times while it is made.
MAX_TRANSCRIPT_BYTES = 1024 * 1024


class ChatTooLong(BadRequest):
    """The chat doesn't fit into an email."""

    code = "chat_too_long"
    text = gettext_lazy("This chat is too long for an email.")


class EmailNotSent(ChatError):
    """The mail server accepts no mails now."""

    code, status, retryable = "email_not_sent", 503, True
    text = gettext_lazy("The email couldn't be sent. Try again later.")


def message_with(messages: Sequence[Message], to: VisitorEmail) -> EmailMessage:
    """Return a mail to a visitor with what persons wrote."""
    site = to.conversation.owner.visitor.site
    with translation.override(to.language):
        known = profiles.profiles_of(site, [each.author for each in messages if each.author])
        nobody = profiles.PublicProfile(_("A person"))
        answers = [(known.get(each.author or 0, nobody).name, each.text) for each in messages]
        thread = reply_addresses.thread_of(to) if reply_addresses.is_offered() else None
        context = {
            "answers": answers,
            "removal_url": _removal_url(to),
            "takes_replies": thread is not None,
        }
        subject = _("{site} has replied to you").format(site=site.name)
        message = _message(site, subject, "inbox/answers_mail.txt", context, to.address)
        if thread:
            message.reply_to = [thread.reply_to]
            message.extra_headers |= thread.headers
        return message


def send_transcript(site: WidgetSite, chat: Conversation, address: str, language: str) -> None:
    """Mail a chat to the visitor. Raise `ChatTooLong` or `EmailNotSent`."""
    try:
        with translation.override(language):
            text = _transcript(site, chat)
            subject = _("Your chat with {site}").format(site=site.name)
            message = _message(site, subject, "inbox/transcript_mail.txt", {"text": text}, address)
            if not mail.send(message):
                raise EmailNotSent
    finally:
        connections.close_all()


def _transcript(site: WidgetSite, chat: Conversation) -> str:
    """Return the chat with the names that the visitor saw, and the zone of its times."""
    authors = chat.messages.filter(author__gt=0).values_list("author", flat=True).distinct()
    known = profiles.profiles_of(site, [each for each in authors if each])
    names = ShownNames(site.name, {author: each.name for author, each in known.items()})
    zone = _("Times are in the time zone {zone}.").format(zone=timezone.get_current_timezone_name())
    text = bytearray()
    for piece in conversation_markdown(chat, [zone], names):
        text += piece
        if len(text) > MAX_TRANSCRIPT_BYTES:
            raise ChatTooLong
    return text.decode()


def email_of(token: str) -> VisitorEmail:
    """Return the address that a mail's link belongs to. Raise `NotFound`."""
    try:
        conversation_id = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        raise NotFound from None
    emails = VisitorEmail.objects.select_related("conversation__owner__visitor__site")
    if email := emails.filter(pk=conversation_id).first():
        return email
    raise NotFound


def _removal_url(to: VisitorEmail) -> str:
    token = signing.dumps(str(to.pk), salt=SALT)
    return absolute_url(reverse("visitor_email_removal", args=[token]))


def _message(
    site: WidgetSite, subject: str, template: str, context: dict[str, object], address: str
) -> EmailMessage:
    """Return a mail from the website: its name is the one that visitors know."""
    text = render_to_string(template, context | {"site": site})
    return mail.message(subject, text, address, site.name)
