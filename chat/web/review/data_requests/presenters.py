"""Present requests of people for their data."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from chat.accounts.models import User
from chat.data_requests import erasure, requests
from chat.data_requests.models import DataRequest
from chat.errors import ChatError
from chat.review.access_log.staff_context import StaffContext, record_profile
from chat.review.members.accounts import closing_obstacle
from chat.review.staff import privacy
from chat.web.review.data_requests.forms import RequestForm
from chat.widget_sites.models import WidgetSite

MAX_ENDED = 50
MAX_OPEN = 200
Kind = DataRequest.Kind
COUNT_NAMES = {
    "chats": _("Chats"),
    "messages": _("Messages"),
    "images_and_files": _("Images and files"),
    "collections": _("Collections"),
    "projects": _("Projects"),
    "personas": _("Personas"),
    "prompts": _("Prompts"),
    "shared_links": _("Shared links"),
    "api_keys": _("API keys"),
    "websites": _("Websites"),
    "chats_on_legal_hold": _("Chats on legal hold"),
}


def list_context(staff_context: StaffContext, text: str) -> dict[str, Any]:
    """Return the requests that wait and the last ones that ended, and the people who were found."""
    waiting = list(requests.open_requests()[:MAX_OPEN])
    ended = list(requests.ended_requests()[:MAX_ENDED])
    found = privacy.find_users(staff_context.reviewer, text) if text else []
    people = privacy.load_users(found)
    return {
        "waiting": _rows(staff_context, waiting),
        "ended": _rows(staff_context, ended),
        "is_search": bool(text),
        "people": [
            (pk, privacy.shown_user(staff_context.reviewer, people[pk])) for pk in sorted(people)
        ],
    }


def user_context(staff_context: StaffContext, person_id: int, **forms: Any) -> dict[str, Any]:
    """Return all that the page of a person needs; the view is logged."""
    person = requests.user_of(person_id)
    is_there = person is not None and person.closed_at is None
    if person is not None:
        record_profile(staff_context, person.pk)
    theirs = list(requests.requests_of(person_id))
    opened = {each.kind: each for each in theirs if each.is_open}
    context = {
        "person_id": person_id,
        "person": privacy.shown_user(staff_context.reviewer, person),
        "is_there": is_there,
        "requests": _rows(staff_context, theirs),
        "opened": opened,
        "copy_form": _form(Kind.COPY, opened),
        "erasure_form": _form(Kind.ERASURE, opened),
    }
    if is_there and person is not None:
        context |= _facts(staff_context, person)
    return context | forms


def _form(kind: DataRequest.Kind, opened: dict[str, DataRequest]) -> RequestForm:
    recorded = opened.get(kind)
    return RequestForm(prefix=kind, received_on=recorded.received_on if recorded else None)


def _facts(staff_context: StaffContext, person: User) -> dict[str, Any]:
    try:
        requests.editable_user(staff_context, person.pk)
    except ChatError as refusal:
        return {"refusal": refusal.public}
    return {
        "about": person,
        "websites": WidgetSite.objects.filter(owner=person).count(),
        "held": erasure.held_chats(person),
        "obstacle": closing_obstacle(staff_context, person),
    }


def _rows(staff_context: StaffContext, rows: Iterable[DataRequest]) -> list[dict[str, Any]]:
    rows = list(rows)
    people = privacy.load_users(
        {each.person for each in rows} | {each.ended_by for each in rows if each.ended_by}
    )
    return [
        {
            "request": each,
            "person": privacy.shown_user(staff_context.reviewer, people.get(each.person)),
            "ended_by": people.get(each.ended_by or 0),
            "counts": [
                (COUNT_NAMES[name], count)
                for name, count in (each.counts or {}).items()
                if count and name in COUNT_NAMES
            ],
            "is_certified": each.kind == Kind.ERASURE and each.state == DataRequest.State.DONE,
        }
        for each in rows
    ]
