"""Mail a notice to everybody in a site's team, in their languages."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.accounts import mail
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.inbox.models import SiteNotice
from chat.site_settings import effective
from chat.widget_sites.team import people_of

TEXTS = {
    SiteNotice.Kind.PERSON_REQUESTED: gettext_noop("A visitor asked to talk to a person."),
    SiteNotice.Kind.RATED_BADLY: gettext_noop("A visitor rated an answer as bad."),
    SiteNotice.Kind.WAITING: gettext_noop("A visitor is waiting for a reply from a person."),
}


def chat_url(notice: SiteNotice) -> str:
    path = reverse("inbox_chat", args=[notice.site.key, notice.conversation])
    return str(settings.SITE_URL).rstrip("/") + path


def send(notice: SiteNotice) -> bool:
    """Return whether the mail server accepts mails; if not, everybody is mailed again later."""
    try:
        accepted = [mail.send(_message(notice, each)) for each in people_of(notice.site)]
        return any(accepted) or not accepted
    finally:
        connections.close_all()  # this thread may not be used again


def _message(notice: SiteNotice, person: User) -> EmailMessage:
    language = Preferences.of(person).language or settings.LANGUAGE_CODE
    with translation.override(language):
        what = _(TEXTS[SiteNotice.Kind(notice.kind)])
        context = {
            "what": what,
            "url": chat_url(notice),
            "site": notice.site,
            "SITE_NAME": effective.site_name(),
        }
        text = render_to_string("inbox/notice_mail.txt", context)
        subject = f"{notice.site.name}: {what}"
    return EmailMessage(" ".join(subject.split()), text, to=[person.email])
