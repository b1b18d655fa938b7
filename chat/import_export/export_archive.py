"""Export all data of an account as a zip file, written while it is sent."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.db.models import Q, QuerySet

from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.api_keys.models import ApiKey
from chat.conversations.images.access import (
    file_of,
    image_of,
    name_of,
    own_files,
    own_images,
)
from chat.conversations.models import Conversation
from chat.import_export.account_files import account_files
from chat.import_export.collection_files import ArchiveFile, collection_files
from chat.import_export.export_writer import conversation_json
from chat.import_export.file_format import FORMAT, VERSION
from chat.import_export.file_names import file_name, safe_name
from chat.import_export.markdown import conversation_markdown
from chat.quotas.models import Charge

ROWS_AT_ONCE = 100
#: What the archive says of each API key; a digest tells its owner nothing.
KEY_FACTS = ("name", "prefix", "created_at", "expires_at", "revoked_at", "last_used_at")
EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest that a zip file can store


class _Sink:
    """The write-only stream that ZipFile writes to."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        """Return what was written since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def export_archive(user: User) -> Iterator[bytes]:
    """Yield the zip file in pieces, one per short read; some are empty while data is compressed."""
    return zipped(account_data(user, oldest_first(Conversation.objects.filter(owner=user))))


def zipped(files: Iterable[ArchiveFile]) -> Iterator[bytes]:
    """Yield a zip file of these in pieces; some are empty."""
    sink: Any = _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as file:
        for name, updated_at, pieces in files:
            info = ZipInfo(name, max(EARLIEST, updated_at.astimezone(UTC)).timetuple()[:6])
            info.compress_type = ZIP_DEFLATED
            with file.open(info, "w") as entry:
                for piece in pieces:
                    entry.write(piece)
                    yield sink.take()
    yield sink.take()


def account_data(user: User, conversations: Iterable[Conversation]) -> Iterator[ArchiveFile]:
    """Yield names, times and contents of files: all that the account has, and these chats of it."""
    now = datetime.now(UTC)
    yield "account.json", now, iter([_account(user)])
    yield "costs.json", now, _costs(user)
    for name, content in account_files(user):
        yield name, now, iter([content])
    for number, each in enumerate(conversations, 1):
        name = f"conversations/{number:05} {file_name(each.title, 'chat')}"
        yield f"{name}.json", each.updated_at, conversation_json(each)
        yield f"{name}.md", each.updated_at, conversation_markdown(each)
    for digest in own_images(user.pk):
        row = image_of(user.pk, digest)
        yield f"images/{digest}.{row.kind}", now, iter([bytes(row.content)])
    for digest in own_files(user.pk):
        row = file_of(user.pk, digest)
        name = safe_name(name_of(row))
        yield f"files/{digest} {name}", now, iter([bytes(row.content)])
    yield from collection_files(user)


def _account(user: User) -> bytes:
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    identities = SocialAccount.objects.filter(user=user).order_by("pk")
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "account",
        "email": user.email,
        "name": user.name,
        "addresses": list(addresses.values("email", "verified", "primary")),
        "single_sign_on": list(identities.values("provider", "uid", "date_joined")),
        "joined_at": user.date_joined,
        "last_sign_in_at": user.last_login,
        "preferences": Preferences.of(user),
        "api_keys": list(ApiKey.objects.filter(owner=user).values(*KEY_FACTS)),
    }
    return msgspec.json.format(msgspec.json.encode(facts)) + b"\n"


def _costs(user: User) -> Iterator[bytes]:
    """Yield the cost of each answer, which is all that is stored of temporary ones."""
    head = {"format": FORMAT, "version": VERSION, "kind": "costs"}
    yield msgspec.json.encode(head)[:-1] + b',"costs":['
    between, place = b"\n", Q()
    while rows := list(
        Charge.objects.filter(place, user=user).order_by("created_at", "pk")[:ROWS_AT_ONCE]
    ):
        yield between + b",\n".join(map(_cost, rows))
        between, last = b",\n", rows[-1]
        place = Q(created_at__gt=last.created_at) | Q(created_at=last.created_at, pk__gt=last.pk)
    yield b"\n]}\n"


def _cost(row: Charge) -> bytes:
    return msgspec.json.encode(
        {
            "at": row.created_at,
            "model": row.model,
            "is_temporary": row.is_temporary,
            "tokens": row.tokens,
            "neurons": row.millineurons / 1000,
            "dollars": row.microdollars / 1_000_000,
        }
    )


def oldest_first(conversations: QuerySet[Conversation]) -> Iterator[Conversation]:
    """Yield conversations with what an export needs of them, a page at a time."""
    place = Q()
    while rows := list(
        conversations.filter(place)
        .select_related("project")
        .defer("project__instructions")
        .order_by("created_at", "pk")[:ROWS_AT_ONCE]
    ):
        yield from rows
        last = rows[-1]
        place = Q(created_at__gt=last.created_at) | Q(created_at=last.created_at, pk__gt=last.pk)
