"""Deliver notices to a site's team, by mail and webhook.

A delivery's group is the site, its recipient a person in the team. Its content is part of the
request to the webhook: `event` and `conversation`, which a test has not.
"""

from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.accounts import mail
from chat.accounts.mailed_links import absolute_url
from chat.accounts.preferences import Preferences
from chat.inbox.models import InboxWebhookAttempt, SiteNotice
from chat.outbox.models import Delivery
from chat.site_settings import effective
from chat.webhooks import attempts, signed_post
from chat.webhooks.signed_post import SignedRequest
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.team import people_of

TEST = "test"  # an event that only the webhook gets
TEXTS = {
    SiteNotice.Kind.PERSON_REQUESTED: gettext_noop("A visitor asked to talk to a person."),
    SiteNotice.Kind.RATED_BADLY: gettext_noop("A visitor rated an answer as bad."),
    SiteNotice.Kind.WAITING: gettext_noop("A visitor is waiting for a reply from a person."),
    SiteNotice.Kind.ASSIGNED: gettext_noop("A chat was assigned to you."),
    SiteNotice.Kind.SNOOZE_OVER: gettext_noop("A chat that was snoozed is open again."),
}


def _site_of(notice: Delivery) -> WidgetSite | None:
    return WidgetSite.objects.select_related("owner").filter(pk=notice.group).first()


def _message(notice: Delivery) -> EmailMessage | None:
    """Return the mail to a person, in their language, if they still are in the team."""
    site = _site_of(notice)
    people = people_of(site) if site else []
    person = next((each for each in people if str(each.pk) == notice.recipient), None)
    if not site or not person:
        return None
    with translation.override(Preferences.of(person).language or settings.LANGUAGE_CODE):
        what = _(TEXTS[SiteNotice.Kind(notice.content["event"])])
        context = {
            "what": what,
            "url": _chat_url(site, notice),
            "site": site,
            "SITE_NAME": effective.site_name(),
        }
        text = render_to_string("inbox/notice_mail.txt", context)
        subject = f"{site.name}: {what}"
    return mail.message(subject, text, person.email)


def _request(notice: Delivery) -> SignedRequest | None:
    """Return the request to the site's webhook, unless its owner has removed it meanwhile."""
    site = _site_of(notice)
    if not site or not site.webhook_url:
        return None
    is_test = notice.content["event"] == TEST
    people = absolute_url(reverse("inbox_people", args=[site.key]))
    url = people if is_test else _chat_url(site, notice)
    content = {"site": site.key, "url": url, **notice.content}
    return SignedRequest(site.webhook_url, site.webhook_secret, content)


def _attempt(notice: Delivery) -> InboxWebhookAttempt | None:
    if not WidgetSite.objects.filter(pk=notice.group).exists():
        return None
    return InboxWebhookAttempt(
        site_id=notice.group, delivery=notice.pk, event=notice.content["event"]
    )


def attempts_of(site: WidgetSite) -> list[tuple[InboxWebhookAttempt, datetime | None]]:
    """Return the last attempts, newest first, each with the time of the next one, if any."""
    made = attempts.newest(site.webhook_attempts.all())
    waiting = Delivery.objects.in_bulk([each.delivery for each in made])
    due = {(each.pk, each.attempts): each.due_at for each in waiting.values()}
    return [(each, due.get((each.delivery, each.number))) for each in made]


def _chat_url(site: WidgetSite, notice: Delivery) -> str:
    path = reverse("inbox_chat", args=[site.key, notice.content["conversation"]])
    return absolute_url(path)


def add_test(site: WidgetSite) -> None:
    """Store a request to the webhook about no chat, in a transaction."""
    WEBHOOK.add(group=site.pk, event=TEST)


MAIL = mail.kind("site_mail", _message)
WEBHOOK = signed_post.kind("site_webhook", _request, _attempt)
