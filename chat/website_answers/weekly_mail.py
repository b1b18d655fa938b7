"""Mail a website's owners once a week how much visitors asked in vain, and which cases got worse.

Like all notices to a team, a mail names no visitor and has none of their text: the page that it
links to has it, where reading is recorded.
"""

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from chat.accounts import mail
from chat.accounts.mailed_links import absolute_url
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.outbox.models import Delivery
from chat.review.staff.privacy import is_reading_allowed
from chat.site_settings import effective
from chat.website_answers.cases import count_worse
from chat.website_answers.gaps import counted
from chat.website_answers.models import AnswerCase, Gap
from chat.widget_sites.models import SiteMember, WidgetSite

EVERY = timedelta(days=7)
SITES_AT_ONCE = 50
#: Gaps that are counted one by one, those of most people.
MOST_NAMED = 3


def find_due() -> None:
    """Store mails about the week's unanswered questions. Run every minute."""
    if not is_reading_allowed():
        return
    due = Q(mailed_at__lte=timezone.now() - EVERY)
    sites = WidgetSite.objects.alias(mailed_at=Coalesce("gaps_mailed_at", "created_at"))
    open_gaps = Gap.objects.filter(state=Gap.State.OPEN).values("site")
    worse = AnswerCase.objects.filter(was_right=True, is_right=False).values("site")
    has_news = Q(pk__in=open_gaps) | Q(pk__in=worse)
    for site in sites.filter(due, has_news, mails_gaps=True)[:SITES_AT_ONCE]:
        _add(site)


@transaction.atomic
def _add(site: WidgetSite) -> None:
    known = WidgetSite.objects.filter(pk=site.pk, gaps_mailed_at=site.gaps_mailed_at)
    if not known.update(gaps_mailed_at=timezone.now()):
        return  # another process was faster
    if counted(site).filter(recent__gt=0).exists() or count_worse(site):
        for person in _owners(site):
            MAIL.add(group=site.pk, recipient=person.pk)


def _owners(site: WidgetSite) -> list[User]:
    also = site.team.filter(role=SiteMember.Role.OWNER).values("user")
    people = User.objects.filter(Q(pk=site.owner_id) | Q(pk__in=also))
    return [each for each in people if each.is_active]


def _message(delivery: Delivery) -> EmailMessage | None:
    """Return the mail to an owner, in their language, if there still is something to say."""
    site = WidgetSite.objects.filter(pk=delivery.group, mails_gaps=True).first()
    if site is None:
        return None
    person = next((each for each in _owners(site) if str(each.pk) == delivery.recipient), None)
    gaps = list(counted(site).filter(recent__gt=0))
    worse = count_worse(site)
    if person is None or not (gaps or worse):
        return None
    context = {
        "site": site,
        "questions": sum(each.recent for each in gaps),
        "gaps": len(gaps),
        "largest": [each.people for each in gaps[:MOST_NAMED]],
        "url": absolute_url(reverse("site_gaps", args=[site.key])),
        "worse": worse,
        "cases": site.answer_cases.count(),
        "cases_url": absolute_url(reverse("try_site", args=[site.key])),
        "SITE_NAME": effective.site_name(),
    }
    with translation.override(Preferences.of(person).language or settings.LANGUAGE_CODE):
        words = (
            _("{site}: unanswered questions of this week") if gaps else _("{site}: test questions")
        )
        subject = words.format(site=site.name)
        text = render_to_string("sites/answers/weekly_mail.txt", context)
    return mail.message(subject, text, person.email)


MAIL = mail.kind("site_gaps_mail", _message)
