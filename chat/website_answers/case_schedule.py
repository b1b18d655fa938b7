"""Run a website's cases by themselves once what its answers depend on has changed.

That is its pages and other sources, the model, the instructions and what answers are based on. They
run once a day at most, because the website's owner pays for them.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from chat.website_answers import cases
from chat.website_answers.models import CaseSchedule
from chat.website_answers.trial import state_of
from chat.widget_sites.models import WidgetSite
from chat.widget_sites.visits import open_sites

EVERY = timedelta(days=1)
#: Until a website is looked at again of which nothing has changed, or that is being read.
SOON = timedelta(minutes=10)
SITES_AT_ONCE = 50


def is_automatic(site: WidgetSite) -> bool:
    return CaseSchedule.objects.filter(site=site, is_automatic=True).exists()


def set_automatic(site: WidgetSite, *, is_automatic: bool) -> None:
    CaseSchedule.objects.update_or_create(site=site, defaults={"is_automatic": is_automatic})


def run_due() -> None:
    """Run the cases of websites that have changed. Run every minute."""
    due = CaseSchedule.objects.filter(is_automatic=True, next_at__lte=timezone.now())
    due = due.filter(site__in=open_sites()).select_related("site").order_by("next_at")
    for schedule in due[:SITES_AT_ONCE]:
        _run(schedule)


@transaction.atomic
def _run(schedule: CaseSchedule) -> None:
    now = timezone.now()
    known = CaseSchedule.objects.filter(pk=schedule.pk, next_at=schedule.next_at)
    if not known.update(next_at=now + SOON):
        return  # another process was faster
    site = schedule.site
    is_being_read = site.source_pages.filter(due_at__lte=now).exists()
    if is_being_read or not site.answer_cases.exclude(ran_with=state_of(site)).exists():
        return
    if cases.run_all(site):
        CaseSchedule.objects.filter(pk=schedule.pk).update(next_at=now + EVERY)
