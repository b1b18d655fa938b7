"""Collect a person's whole record: their own export, and what the site stores about them.

Not in it are the names and reasons of staff and of other people, who have rights of their own, and
secrets. tests/review/data_requests/test_records.py lists each table that refers to a person.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from allauth.mfa.models import Authenticator
from django.db.models import F, Q, QuerySet

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.conversations.models import Conversation, Rating
from chat.data_requests.models import DataRequest
from chat.evaluation.access import usable
from chat.evaluation.models import DatasetItem
from chat.generations.pairs.models import PairVote
from chat.import_export.collection_files import ArchiveFile
from chat.import_export.export_archive import account_data
from chat.import_export.file_format import FORMAT, VERSION
from chat.inbox.models import VisitorDetails, VisitorEmail
from chat.quotas.models import Limit
from chat.review.access_log.staff_actions import StaffAction
from chat.review.case_models import Case, Flag
from chat.review.models import AccessLogEntry, SavedSearch
from chat.review.moderation.warnings import ModerationWarning
from chat.review.rating_models import RatingQuestion, StaffRating
from chat.sharing.models import LinkRecipient
from chat.widget_sites.models import SiteMember, TeamProfile, Visitor, WidgetSite

FOLDER = "record"
ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A file of the record: rows of one table about a person, and the columns that it shows."""

    name: str
    rows: Callable[[int], QuerySet[Any]]
    columns: tuple[str, ...]


PARTS = (
    RecordPart(
        "groups",
        lambda person: User.groups.through.objects.filter(user=person).annotate(
            name=F("group__name")
        ),
        ("name",),
    ),
    RecordPart(
        "sign_ins",
        lambda person: UserSession.objects.filter(user=person).annotate(id=F("device_id")),
        ("user_agent", "created_at", "last_seen_at"),
    ),
    RecordPart(
        "second_factors",
        lambda person: Authenticator.objects.filter(user=person),
        ("type", "created_at", "last_used_at"),
    ),
    RecordPart(
        "limits",
        lambda person: Limit.objects.filter(user=person),
        ("scope", "measure", "amount", "by_review", "expires_at"),
    ),
    RecordPart(
        "websites",
        lambda person: WidgetSite.objects.filter(owner=person),
        ("name", "key", "origins", "welcome", "consent", "privacy_url", "created_at"),
    ),
    RecordPart(
        "website_teams",
        lambda person: SiteMember.objects.filter(user=person).annotate(website=F("site__name")),
        ("website", "role", "added_at"),
    ),
    RecordPart(
        "website_profiles",
        lambda person: TeamProfile.objects.filter(user=person).annotate(website=F("site__name")),
        ("website", "name"),
    ),
    RecordPart(
        "visits",
        lambda person: Visitor.objects.filter(user=person).annotate(
            website=F("site__name"), visitor_name=F("name")
        ),
        ("website", "subject", "visitor_name", "agreed_at", "created_at", "last_seen_at"),
    ),
    RecordPart(
        "visitor_details",
        lambda person: VisitorDetails.objects.filter(visitor__user=person),
        ("name", "email", "choice", "given_at"),
    ),
    RecordPart(
        "visitor_addresses",
        lambda person: VisitorEmail.objects.filter(conversation__owner=person),
        ("conversation", "address", "language", "agreed_at"),
    ),
    RecordPart(
        "links_received",
        lambda person: LinkRecipient.objects.filter(account=person),
        ("email", "added_at"),
    ),
    RecordPart(
        "ratings",
        lambda person: Rating.objects.filter(user=person),
        ("message", "value", "reason", "comment", "rated_at"),
    ),
    RecordPart(
        "comparison_votes",
        lambda person: PairVote.objects.filter(user=person),
        ("model_a", "model_b", "verdict", "voted_at"),
    ),
    RecordPart(
        "reports",
        lambda person: Flag.objects.filter(person=person, source=Flag.Source.REPORT),
        ("message", "reason", "comment", "created_at"),
    ),
    RecordPart(
        "warnings",
        lambda person: ModerationWarning.objects.filter(person=person),
        ("text", "created_at", "read_at", "withdrawn_at"),
    ),
    RecordPart(
        "cases",
        lambda person: Case.objects.filter(
            Q(conversation__owner=person) | Q(former_owner=person)
        ).annotate(chat=F("conversation"), erased_chat=F("former_conversation")),
        ("chat", "erased_chat", "severity", "opened_at", "resolved_at", "outcome"),
    ),
    RecordPart(
        "staff_ratings",
        lambda person: StaffRating.objects.filter(
            Q(owner=person) | _about_chats_of(person)
        ).annotate(form_name=F("form__name")),
        ("at", "form_name", "conversation", "message", "is_decision", "answers"),
    ),
    RecordPart(
        "staff_rating_questions",
        lambda person: RatingQuestion.objects.filter(form__ratings__owner=person).distinct(),
        ("id", "text", "kind", "least_label", "most_label", "labels"),
    ),
    RecordPart(
        "staff_access",
        lambda person: AccessLogEntry.objects.filter(
            Q(owner=person) | _about_chats_of(person)
        ).exclude(kind=AccessLogEntry.Kind.REFUSED),
        ("at", "kind", "conversation", "message"),
    ),
    RecordPart(
        "staff_actions",
        lambda person: StaffAction.objects.filter(Q(person=person) | _about_chats_of(person)),
        ("at", "kind", "conversation", "message"),
    ),
    RecordPart(
        "saved_searches",
        lambda person: SavedSearch.objects.filter(owner=person),
        ("name", "query"),
    ),
    RecordPart(
        "evaluation_copies",
        lambda person: usable(DatasetItem.objects.filter(person=person)),
        ("conversation", "message", "messages", "answer", "added_at"),
    ),
    RecordPart(
        "data_requests",
        lambda person: DataRequest.objects.filter(person=person),
        ("kind", "state", "received_on", "due_on", "ended_at"),
    ),
)


def _about_chats_of(person: int) -> Q:
    """Match rows about the person's chats, also from when the owner was another account.

    Those of the audit log can't be moved when a visitor's chats are (visitor_merge.py).
    """
    return Q(conversation__in=Conversation.all_objects.filter(owner=person).values("pk"))


def record_files(person: User, conversations: Iterable[Conversation]) -> Iterator[ArchiveFile]:
    """Yield names, times and contents of the record's files, with these chats of the person."""
    yield from account_data(person, conversations)
    for part in PARTS:
        yield f"{FOLDER}/{part.name}.json", datetime.now(UTC), _written(part, person.pk)


def _written(part: RecordPart, person: int) -> Iterator[bytes]:
    """Yield the part as JSON, a row on each line; each piece is one short read."""
    head = {"format": FORMAT, "version": VERSION, "kind": part.name}
    yield msgspec.json.encode(head)[:-1] + f',"{part.name}":['.encode()
    between = b"\n"
    for rows in _batches(part.rows(person).order_by("pk"), part.columns):
        yield between + b",\n".join(map(_encoded, rows))
        between = b",\n"
    yield b"\n]}\n"


def _batches(rows: QuerySet[Any], columns: Iterable[str]) -> Iterator[list[dict[str, Any]]]:
    last: Any = None
    while True:
        page = rows if last is None else rows.filter(pk__gt=last)
        some = list(page.values("pk", *columns)[:ROWS_AT_ONCE])
        if some:
            last = some[-1]["pk"]
            yield [{name: row[name] for name in columns} for row in some]
        if len(some) < ROWS_AT_ONCE:
            return


def _encoded(row: dict[str, Any]) -> bytes:
    return msgspec.json.encode(row)
