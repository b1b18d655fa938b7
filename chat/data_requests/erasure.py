"""Erase a person on request, and certify it once nothing is left.

The account is closed at once, as its owner could close it: nobody can use it or see its chats, and
its name, address and password are gone. The purge then removes the rest in small steps. Chats on
legal hold stay as long as their holds; a request is done when they are erased, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from chat.accounts.models import User
from chat.api_keys.models import ApiKey
from chat.conversations.images.models import StoredImage
from chat.conversations.legal_hold import held_conversations, max_duration, retained
from chat.conversations.models import Conversation, Message
from chat.data_requests.models import DataRequest
from chat.data_requests.requests import open_request
from chat.data_requests.signed_archive import signed_archive
from chat.errors import NotFound
from chat.generations.deletion.soft_delete import owned_by
from chat.import_export.collection_files import ArchiveFile
from chat.import_export.file_format import FORMAT, VERSION
from chat.knowledge.models import Collection
from chat.personas.models import Persona, Prompt
from chat.projects.models import Project
from chat.review.access_log.staff_context import StaffContext
from chat.review.members import accounts
from chat.sharing.models import SharedLink
from chat.widget_sites.models import WidgetSite

#: Each is what the certificate says in English, which outlives the site's languages.
REMAINS = (
    "The costs of answers, without the person, for the totals of groups and of the site.",
    "Entries of the audit log, with the number of the account instead of a name.",
    "Cases of review without their chats, with the number of the account.",
    "Scores and labels that staff gave chats and answers, with the number of the account.",
    "Text that other people copied from links which this person had shared.",
    "Backups that were made before, until they are deleted as the site's backups are.",
)


@dataclass(frozen=True, slots=True)
class HeldChats:
    """How many chats of a person are on legal hold, and when the last of them goes at the latest.

    `until` counts from an erasure today; holds may end earlier.
    """

    count: int
    until: date


def held_chats(person: User) -> HeldChats:
    """Return what an erasure has to leave for now."""
    held = Conversation.all_objects.filter(owned_by(person), retained(since="purge_after"))
    present = held_conversations(owned_by(person))
    until = timezone.localdate(timezone.now() + max_duration())
    return HeldChats(held.count() + present.filter(purge_after=None).count(), until)


@transaction.atomic
def erase(staff_context: StaffContext, person: User, received_on: date) -> DataRequest:
    """Close the account and let all of its data be erased. Raise `BadRequest`."""
    request = open_request(staff_context, person, DataRequest.Kind.ERASURE, received_on)
    request.state, request.erased_at = DataRequest.State.ERASING, timezone.now()
    request.counts = _counts(person)
    request.ended_by = staff_context.reviewer.user_id
    request.save(update_fields=["state", "erased_at", "counts", "ended_by"])
    accounts.close(staff_context, person, str(request))
    return request


def begin_for_closed(person: User) -> None:
    """Go on with an open request for an erasure when its owner closes the account themselves.

    Called in the transaction that closes it, while everything is still there to be counted.
    """
    waiting = DataRequest.objects.filter(
        person=person.pk, kind=DataRequest.Kind.ERASURE, state=DataRequest.State.OPEN
    )
    if waiting.exists():
        waiting.update(
            state=DataRequest.State.ERASING, erased_at=timezone.now(), counts=_counts(person)
        )


def _counts(person: User) -> dict[str, int]:
    chats = Conversation.all_objects.filter(owned_by(person))
    return {
        "chats": chats.count(),
        "messages": Message.objects.filter(conversation__in=chats).count(),
        "images_and_files": StoredImage.objects.filter(owner=person).count(),
        "collections": Collection.objects.filter(owner=person).count(),
        "projects": Project.objects.filter(owner=person).count(),
        "personas": Persona.objects.filter(owner=person).count(),
        "prompts": Prompt.objects.filter(owner=person).count(),
        "shared_links": SharedLink.objects.filter(owner=person).count(),
        "api_keys": ApiKey.objects.filter(owner=person).count(),
        "websites": WidgetSite.objects.filter(owner=person).count(),
        "chats_on_legal_hold": chats.filter(held_at__isnull=False).count(),
    }


def end_complete() -> int:
    """End the requests whose accounts are gone; return how many. Run every minute.

    Some of them nobody has begun: of visitors whose website was deleted with all their data.
    """
    states = (DataRequest.State.OPEN, DataRequest.State.ERASING)
    erasing = DataRequest.objects.filter(kind=DataRequest.Kind.ERASURE, state__in=states)
    accounts = set(
        User.all_objects.filter(pk__in=erasing.values("person")).values_list("pk", flat=True)
    )
    gone = [each.pk for each in erasing if each.person not in accounts]
    return erasing.filter(pk__in=gone).update(state=DataRequest.State.DONE, ended_at=timezone.now())


def certificate(person_id: int, request_id: int) -> Iterator[bytes]:
    """Return a signed archive that certifies an erasure. Raise `NotFound` before it is complete."""
    request = DataRequest.objects.filter(
        pk=request_id,
        person=person_id,
        kind=DataRequest.Kind.ERASURE,
        state=DataRequest.State.DONE,
    ).first()
    if request is None or User.all_objects.filter(pk=person_id).exists():
        raise NotFound
    about = {"request": request.pk, "person": request.person, "received_on": request.received_on}
    return signed_archive(about, iter(_certificate_files(request)))


def _certificate_files(request: DataRequest) -> list[ArchiveFile]:
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "certificate_of_erasure",
        "site": settings.SITE_URL,
        "request": request.pk,
        "person": request.person,
        "received_on": request.received_on,
        "account_closed_at": request.erased_at,
        "complete_at": request.ended_at,
        "erased": request.counts,
        "remains": REMAINS,
    }
    content = msgspec.json.format(msgspec.json.encode(facts)) + b"\n"
    ended_at = request.ended_at or datetime.now(UTC)
    return [("certificate.json", ended_at, iter([content]))]
