"""What leaves the site, what was refused and what was not found is on record; and the record is
found by who, whose, what and when, also as a file."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.test import AsyncClient, Client
from django.utils import timezone

from chat.accounts.models import User
from chat.review.access_log import audit_chain
from chat.review.access_log.staff_actions import Deed
from chat.review.case_models import Case
from chat.review.cases import flags
from chat.review.models import Read
from chat.widget_sites.models import Site
from tests.conftest import browser_of
from tests.review.conftest import give, look_of, nobodys_id, say
from tests.review.test_people import client_of, text_of

Row = tuple[str, int, int | None, UUID | None, str, str]
WHY = "A report of today"
LOG = "/review/record/"


def looking(user: User) -> Client:
    """A browser of one of the staff who has said why they look."""
    client = client_of(user)
    client.post("/review/reason/", {"reason": WHY})
    return client


def rows() -> list[Row]:
    found = Read.objects.order_by("id")
    return list(found.values_list("kind", "reader", "owner", "conversation", "detail", "reason"))


# --- What leaves the site -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/review/people.csv", "people.csv"),
        ("/review/measures/people.csv?days=7", "people-"),
        ("/review/measures/days.json?days=7", "days-"),
        ("/review/record/looks.csv", "looks "),
        ("/review/record/deeds.jsonl", "deeds "),
        ("/review/queue/export.csv", "cases.csv"),
        ("/review/queue/export.jsonl", "cases.jsonl"),
    ],
)
def test_files_that_name_people_ask_for_a_reason_and_are_on_record(
    administrator: User, alice: User, path: str, detail: str
) -> None:
    client = client_of(administrator)
    asked = client.get(path)
    assert asked.status_code == 302
    assert asked["Location"].startswith("/review/reason/")
    assert rows() == []
    client.post("/review/reason/", {"reason": WHY})
    assert client.get(path).status_code == 200
    ((kind, reader, owner, chat, about, reason),) = rows()
    assert (kind, reader, owner, chat, reason) == ("exported", administrator.pk, None, None, WHY)
    assert about.startswith(detail)


@pytest.mark.parametrize(
    "path", ["/review/measures/people.csv?since=x", "/review/record/looks.csv?since=x"]
)
def test_a_file_that_is_refused_is_no_export(administrator: User, path: str) -> None:
    assert looking(administrator).get(path).status_code == 400
    assert rows() == []


# --- What was refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "news/?after=0", "notes/", "stop/", "flags/"])
def test_a_chat_out_of_scope_leaves_a_row(reviewer: User, bob: User, name: str) -> None:
    chat, client = say(bob, "Rivers"), looking(reviewer)
    path = f"/review/{chat.pk}/{name}"
    sent = {"text": "Well", "words": "It is bad", "reason": "It was agreed so"}
    answer = client.get(path) if name in {"", "news/?after=0"} else client.post(path, sent)
    assert answer.status_code == 404
    ((kind, reader, owner, conversation, _detail, reason),) = rows()
    assert (kind, reader, owner, conversation) == ("refused", reviewer.pk, bob.pk, chat.pk)
    assert reason in {WHY, "It was agreed so"}


def test_a_chat_that_its_owner_deleted_leaves_a_row(administrator: User, alice: User) -> None:
    from chat.generations.deletion.soft_delete import delete

    chat = say(alice, "Rivers")
    delete(chat)
    assert looking(administrator).get(f"/review/{chat.pk}/").status_code == 404
    assert [row[:3] for row in rows()] == [("refused", administrator.pk, alice.pk)]


def test_a_person_a_case_and_a_website_out_of_scope_leave_rows(
    lead: User, reviewer: User, bob: User, administrator: User
) -> None:
    chat = say(bob, "Rivers")
    flags.flag(look_of(administrator), chat.pk, "It is bad")
    shop = Site.objects.create(owner=bob, name="Shop")
    lead.review_scopes.all().delete()
    client = looking(lead)
    for path in (f"people/{bob.pk}/", f"sites/{shop.key}/"):
        assert client.get(f"/review/{path}").status_code == 404
    assert client.post(f"/review/cases/{Case.objects.get().pk}/claim/").status_code == 404
    assert [row[:4] for row in rows()] == [
        ("refused", lead.pk, bob.pk, None),
        ("refused", lead.pk, bob.pk, None),
        ("refused", lead.pk, bob.pk, chat.pk),
    ]


def test_a_pseudonym_out_of_scope_leaves_a_row(reviewer: User, bob: User, settings: Any) -> None:
    from chat.review.staff.privacy import pseudonym

    settings.REVIEW_PRIVACY = "pseudonymous"
    assert looking(reviewer).get(f"/review/people/{pseudonym(bob.pk)}/").status_code == 404
    assert [row[:3] for row in rows()] == [("refused", reviewer.pk, bob.pk)]


def test_what_is_not_there_leaves_none(reviewer: User, alice: User) -> None:
    client, chat = looking(reviewer), say(alice, "Rivers")
    for path in (f"{nobodys_id()}/", "people/987654/", "people/nobody/", f"{chat.pk}/?at=1"):
        assert client.get(f"/review/{path}").status_code == 404
    assert client.post("/review/cases/987654/claim/").status_code == 404
    assert rows() == []


def test_members_are_not_told_of_what_was_refused(reviewer: User, bob: User) -> None:
    looking(reviewer).get(f"/review/{say(bob, 'Rivers').pk}/")
    assert "rita" not in text_of(client_of(bob), "/settings/readers/").lower()


# --- What was not found ---------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["q=zeppelin", "person=zeppelin", "model=zeppelin"])
def test_a_search_without_a_hit_leaves_a_row_without_its_words(
    reviewer: User, alice: User, query: str
) -> None:
    say(alice, "Rivers")
    assert looking(reviewer).get(f"/review/?{query}").status_code == 200
    assert rows() == [("searched", reviewer.pk, None, None, "", WHY)]
    assert "zeppelin" not in repr(Read.objects.values().get())


def test_a_queue_without_such_a_case_leaves_a_row(reviewer: User, alice: User) -> None:
    client = looking(reviewer)
    assert client.get("/review/queue/").status_code == 200
    assert rows() == []
    assert client.get("/review/queue/?state=settled").status_code == 200
    assert [row[0] for row in rows()] == ["searched"]


def test_a_list_of_nothing_is_no_search(reviewer: User) -> None:
    assert looking(reviewer).get("/review/").status_code == 200
    assert rows() == []


# --- Finding in the record ------------------------------------------------------------------------


@pytest.fixture
def log(alice: User, bob: User, rita: User, administrator: User) -> Iterator[dict[str, Read]]:
    noon = timezone.now().astimezone(UTC).replace(hour=12, minute=0)
    made: dict[str, Read] = {}

    def add(name: str, reader: User, owner: User, kind: str, days: int) -> None:
        made[name] = Read.objects.create(
            at=noon - timedelta(days=days), reader=reader.pk, owner=owner.pk, kind=kind,
            conversation=uuid4(), reason=f"Reason {name}",
        )  # fmt: skip

    add("old", rita, alice, "read", 40)
    add("title", rita, alice, "listed", 3)
    add("words", rita, bob, "found", 3)
    add("bobs", administrator, bob, "read", 2)
    add("taken", rita, bob, "exported", 2)
    return made


def shown(client: Client, **query: Any) -> set[str]:
    text = text_of(client, LOG, **query)
    return {each for each in ("old", "title", "words", "bobs", "taken") if f"Reason {each}" in text}


def test_titles_in_lists_do_not_drown_the_reads(lead: User, log: dict[str, Read]) -> None:
    client = client_of(lead)
    assert shown(client) == {"old", "bobs", "taken"}
    assert shown(client, kind="all") == set(log)
    assert shown(client, kind="listed") == {"title"}


def test_the_access_log_is_found_by_who_whose_and_when(
    lead: User, log: dict[str, Read], rita: User, bob: User
) -> None:
    client = client_of(lead)
    day = timezone.now().astimezone(UTC).date()
    assert shown(client, who=rita.pk) == {"old", "taken"}
    assert shown(client, person="bob@") == {"bobs", "taken"}
    assert shown(client, person="nobody@") == set()
    assert shown(client, since=day - timedelta(days=10)) == {"bobs", "taken"}
    assert shown(client, until=day - timedelta(days=10)) == {"old"}
    both = {"since": day - timedelta(days=2), "until": day - timedelta(days=2)}
    assert shown(client, **both, who=rita.pk, kind="exported") == {"taken"}


@pytest.mark.parametrize(
    "query", [{"since": "soon"}, {"kind": "other"}, {"since": "2026-02-02", "until": "2026-01-01"}]
)
def test_a_filter_that_means_nothing_is_refused_in_words(
    lead: User, log: dict[str, Read], query: dict[str, str]
) -> None:
    for path in (LOG, f"{LOG}deeds/"):
        answer = client_of(lead).get(path, query)
        assert answer.status_code == 422
        assert "Reason" not in answer.content.decode().replace("Reason<", "")


def test_pages_keep_their_filters(lead: User, alice: User, rita: User) -> None:
    for _ in range(101):
        Read.objects.create(reader=rita.pk, owner=alice.pk, kind="read", conversation=uuid4())
    text = text_of(client_of(lead), LOG, who=rita.pk)
    assert f"?who={rita.pk}&amp;before=" in text


def test_whoever_leads_some_sees_what_is_about_them_and_their_own(
    alice: User, bob: User, rita: User, pupils: Group, administrator: User
) -> None:
    give(rita, "lead_review", pupils)
    for owner, reader in (
        (alice, administrator),
        (bob, administrator),
        (None, administrator),
        (None, rita),
    ):
        Read.objects.create(
            reader=reader.pk, owner=owner.pk if owner else None, kind="exported",
            reason=f"For {owner.name if owner else 'all'} by {reader.pk}",
        )  # fmt: skip
    text = text_of(client_of(rita), LOG)
    assert f"For Alice by {administrator.pk}" in text
    assert f"For all by {rita.pk}" in text
    assert "For Bob" not in text
    assert f"For all by {administrator.pk}" not in text


def test_deeds_are_found_likewise(lead: User, alice: User, bob: User, rita: User) -> None:
    for person, kind in ((alice, "warned"), (bob, "suspended")):
        Deed.objects.create(actor=rita.pk, person=person.pk, kind=kind, reason=f"For {person.name}")
    client, path = client_of(lead), f"{LOG}deeds/"
    assert "For Alice" in text_of(client, path, person="alice@")
    assert "For Bob" not in text_of(client, path, person="alice@")
    assert "For Bob" in text_of(client, path, kind="suspended", who=rita.pk)
    assert "For Alice" not in text_of(client, path, kind="suspended", who=rita.pk)


# --- The record as a file -------------------------------------------------------------------------


@pytest.fixture
async def leads(lead: User, life_ends: None) -> AsyncClient:
    client: AsyncClient = await sync_to_async(browser_of)(lead)
    await client.post("/review/reason/", {"reason": WHY})
    return client


async def test_the_access_log_comes_as_a_file_with_the_same_filters(
    leads: AsyncClient, log: dict[str, Read], bob: User
) -> None:
    taken = await rows_of(leads, f"{LOG}looks.csv", kind="exported", person="bob@")
    assert [(each["who"], each["whose"], each["reason"]) for each in taken] == [
        ("rita@example.org", "Bob", "Reason taken"),
    ]  # fmt: skip
    assert datetime.fromisoformat(taken[0]["at"]) == log["taken"].at
    response = await leads.get(f"{LOG}looks.jsonl", {"kind": "exported"})
    lines = [json.loads(each) async for each in _lines(response)]
    # The files themselves are on record, the newest first; that of the present one, too.
    assert [each["detail"].partition(" ")[0] for each in lines] == ["looks", "looks", ""]


async def test_the_deeds_come_as_a_file(leads: AsyncClient, alice: User, rita: User) -> None:
    await Deed.objects.acreate(
        actor=rita.pk, person=alice.pk, kind="warned", reason="=1+1", detail="once"
    )
    (row,) = await rows_of(leads, f"{LOG}deeds.csv", kind="warned")
    assert (row["whom"], row["kind"], row["reason"], row["detail"]) == (
        "Alice", "warned", "'=1+1", "once",
    )  # fmt: skip


async def test_names_in_files_follow_the_privacy_mode(
    leads: AsyncClient, log: dict[str, Read], settings: Any
) -> None:
    settings.REVIEW_PRIVACY = "pseudonymous"
    found = await rows_of(leads, f"{LOG}looks.csv", kind="exported")
    assert "Bob" not in {each["whose"] for each in found}
    assert any(each["whose"].startswith("Person ") for each in found)


async def rows_of(client: AsyncClient, path: str, **query: Any) -> list[dict[str, str]]:
    response = await client.get(path, query)
    assert response.status_code == 200
    text = b"".join([each async for each in response.streaming_content]).decode("utf-8-sig")  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(text)))


async def _lines(response: Any) -> Any:
    text = b"".join([each async for each in response.streaming_content])
    for each in text.splitlines():
        yield each


# --- Seals ----------------------------------------------------------------------------------------


def test_the_detail_of_a_row_is_sealed_and_rows_without_one_as_they_were(
    transactional_db: None,
) -> None:
    day = datetime(2026, 1, 2, 12, tzinfo=UTC)
    about = {"reader": 1, "owner": 2, "kind": "read", "conversation": UUID(int=3), "reason": "a"}
    row = Read.objects.create(at=day, **about)
    (text,) = audit_chain._rows(day, day + timedelta(days=1))
    assert text == f"{row.pk}|2026-01-02T12:00:00.000000+00:00|1|2|{UUID(int=3)}|None|read|61"
    Read.objects.create(at=day, **about, detail="a")
    (_, other) = audit_chain._rows(day, day + timedelta(days=1))
    assert other.endswith("|read|61|61")
