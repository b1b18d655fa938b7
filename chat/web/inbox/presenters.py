"""Present a site's chats to its team."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.conversations.models import Conversation, Takeover
from chat.conversations.search.query import parse
from chat.conversations.search.snippet import snippet
from chat.inbox import handled_chats, inbox_list, labels, visitor_details, visitor_emails
from chat.inbox.team_access import Inbox
from chat.review import access
from chat.review.live import interventions
from chat.review.models import ConversationStats
from chat.review.search import conversation_search
from chat.review.search.conversation_search import ConversationFacets
from chat.review.staff import privacy
from chat.review.staff.privacy import ShownUser
from chat.web.inbox.selection_form import SelectionForm
from chat.web.review.search.result_cursors import read_cursor, read_position, write_cursor

MAX_RATINGS = 20  # of the help of persons in a chat, the newest
LISTS = {
    inbox_list.OPEN: gettext_lazy("Open chats"),
    inbox_list.WAITING: gettext_lazy("Waiting for a person"),
    inbox_list.MINE: gettext_lazy("Mine"),
    inbox_list.SNOOZED: gettext_lazy("Snoozed"),
    inbox_list.CLOSED: gettext_lazy("Closed"),
    inbox_list.RATED_BAD: gettext_lazy("Bad ratings"),
    inbox_list.ALL: gettext_lazy("All"),
}
#: Lists of what is to be done, whose length is shown.
COUNTED = (inbox_list.OPEN, inbox_list.WAITING, inbox_list.MINE, inbox_list.SNOOZED)


def list_context(inbox: Inbox, which: str, begin: str, label: int | None) -> dict[str, Any]:
    """Return a page of one of `LISTS`, which begins after the cursor `begin`."""
    made_at = timezone.now()
    ids, following = inbox_list.page(inbox, which, read_cursor(begin), label)
    chats = access.read_titles(inbox.staff_context, ids)
    people = _people(inbox, chats)
    stats = ConversationStats.objects.in_bulk(ids)
    held = interventions.holders_of(inbox.staff_context.reviewer, ids)
    handled = _handled(inbox, ids)
    return tabs(inbox, which) | {
        "rows": [
            _row(each, people[each.pk], stats.get(each.pk), held.get(each.pk, ""))
            | handled.get(each.pk, {})
            for each in chats
        ],
        "next": write_cursor(following),
        "is_first": not begin,
        "labels": labels.labels_of(inbox.site),
        "label": label,
        "selection_form": SelectionForm(
            inbox.site, initial={"hours": "24", "seen_at": made_at.isoformat()}
        ),
    }


def hits_context(inbox: Inbox, text: str, begin: str) -> dict[str, Any]:
    """Return a page of messages with all words of `text`."""
    query = parse(text)
    facets = ConversationFacets(site=inbox.site.pk)
    reviewer = inbox.staff_context.reviewer
    result = conversation_search.search(reviewer, query, facets, read_position(begin))
    found = access.read_hits(inbox.staff_context, result.ids)
    people = _people(inbox, (each.conversation for each in found))
    hits = [
        {
            "message": each,
            "url": reverse("inbox_chat", args=[inbox.site.key, each.conversation_id]),
            "pieces": snippet(each.text, query),
            "person": people[each.conversation_id],
        }
        for each in found
    ]
    return tabs(inbox, "") | {
        "hits": hits,
        "text": text,
        "next": str(result.next or ""),
        "is_cut": result.is_cut,
        "is_first": not begin,
    }


def service_context(inbox: Inbox, conversation: Conversation) -> dict[str, Any]:
    """Return what the visitor has said about themselves, and of the help of persons."""
    takeovers = Takeover.objects.filter(conversation=conversation, rating__isnull=False)
    rated = list(takeovers.order_by("-id")[:MAX_RATINGS])[::-1]
    names = interventions.staff_names(inbox.staff_context.reviewer, (each.person for each in rated))
    return {
        "visitor_email": visitor_emails.address_of(conversation.pk),
        "visitor_facts": visitor_facts(conversation.owner_id),
        "help_ratings": [{"takeover": each, "who": names[each.person]} for each in rated],
    }


def visitor_facts(owner_id: int) -> list[str]:
    """Return what the visitor entered into the site's form, in words."""
    details = visitor_details.details_of(owner_id)
    if details is None:
        return []
    lines = (
        (details.name, _("Name: {answer}")),
        (details.email, _("Email address: {answer}")),
        (details.choice, _("Subject: {answer}")),
    )
    return [words.format(answer=answer) for answer, words in lines if answer]


def tabs(inbox: Inbox, which: str) -> dict[str, Any]:
    """Return the names of the lists, and how many chats are in those that are counted."""
    return {
        "tabs": [
            {
                "name": name,
                "label": label,
                "is_current": name == which,
                "count": _count(inbox, name) if name in COUNTED else "",
            }
            for name, label in LISTS.items()
        ]
    }


def _count(inbox: Inbox, which: str) -> str:
    count, most = inbox_list.count(inbox, which), inbox_list.MOST_COUNTED
    return f"{number_format(most)}+" if count > most else number_format(count) if count else ""


def _people(inbox: Inbox, chats: Iterable[Conversation]) -> dict[UUID, ShownUser]:
    """Return who wrote the chats. A name from the site's form is better than a number."""
    reviewer = inbox.staff_context.reviewer
    chats = list(chats)
    given = visitor_details.names_of(each.owner_id for each in chats)
    shown = {each.pk: (privacy.shown_user(reviewer, each.owner), each.owner_id) for each in chats}
    return {
        pk: replace(person, name=given[owner_id]) if owner_id in given else person
        for pk, (person, owner_id) in shown.items()
    }


def _row(
    chat: Conversation, person: ShownUser, stats: ConversationStats | None, holder: str
) -> dict[str, Any]:
    return {
        "conversation": chat,
        "person": person,
        "holder": holder,
        "good": stats.good if stats else 0,
        "bad": stats.bad if stats else 0,
    }


def _handled(inbox: Inbox, ids: list[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return of chats to whom they are assigned, whether they rest now, and their labels."""
    assigned = handled_chats.assignees_of(ids)
    names = interventions.staff_names(inbox.staff_context.reviewer, assigned.values())
    states = handled_chats.states_of(ids)
    names_of_labels = labels.labels_by_chat(ids)
    return {
        each: {
            "assignee": names.get(assigned.get(each, 0), ""),
            "state": states.get(each, ""),
            "labels": names_of_labels.get(each, []),
        }
        for each in ids
    }
