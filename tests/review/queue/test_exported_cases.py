"""Exporting cases as a file, with and without text, while the permission lasts."""

import csv
import io
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from chat.accounts.models import User
from chat.review.cases import rule_runner
from chat.review.models import AccessLogEntry
from chat.web.http.files.downloads import DownloadBroken
from tests.support.generations.stream_reader import read_text
from tests.support.review.queue import reported
from tests.support.review.reason_for_access import begin

FORMULA = '=HYPERLINK("https://attacker.invalid")'


async def test_cases_are_exported_without_text_and_with_it(
    lead_client: AsyncClient, alice: User, administrator: User
) -> None:
    await sync_to_async(User.objects.filter(pk=alice.pk).update)(name="@Alice")
    case = await reported(alice, FORMULA, "\t-words")
    client = await begin(lead_client)
    response = await client.get("/review/queue/export.csv")
    assert response["Content-Disposition"].startswith("attachment")
    text = await read_text(response)
    assert text.startswith("\ufeffcase,")  # else spreadsheets garble names
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert row["person"] == "'@Alice"
    assert (row["case"], row["flags"], row["sources"]) == (str(case.pk), "1", "report")
    assert "title" not in row
    export = (
        await AccessLogEntry.objects.aget()
    )  # names are in it: that is on record, without a chat
    assert (export.kind, export.owner, export.detail) == ("exported", None, "cases.csv")

    response = await client.get("/review/queue/export.csv", {"text": "1"})
    (row,) = csv.DictReader(io.StringIO((await read_text(response)).removeprefix("\ufeff")))
    assert row["title"] == f"'{FORMULA}"
    assert row["flagged_because"] == "'\t'-words"
    assert row["said"] == f"user: {FORMULA}\n\nassistant: About {FORMULA}"
    read = await AccessLogEntry.objects.exclude(owner=None).aget()
    assert (read.kind, read.owner, read.conversation) == (
        "exported", alice.pk, case.conversation_id,
    )  # fmt: skip

    response = await client.get("/review/queue/export.jsonl", {"text": "1"})
    (line,) = (await read_text(response)).splitlines()
    told = json.loads(line)
    assert told["title"] == FORMULA
    assert [each["role"] for each in told["said"]] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("mode", "wanted", "is_masked"),
    [
        ("normal", "1", False),
        ("normal", "masked", True),
        ("pseudonymous", "1", True),
        ("pseudonymous", "plain", False),
    ],
)
async def test_personal_data_is_named_and_masked_by_choice(
    lead_client: AsyncClient, alice: User, settings: Any, mode: str, wanted: str, is_masked: bool
) -> None:
    settings.REVIEW_PRIVACY = mode
    mine = "ada@example.org"
    await reported(alice, f"Mail {mine}", f"{mine} is mine")
    await sync_to_async(rule_runner.check_new)()
    client = await begin(lead_client)
    listed = (await client.get("/review/queue/")).content.decode()
    assert ("text=plain" in listed) is (mode == "pseudonymous")
    assert ("text=masked" in listed) is (mode == "normal")
    response = await client.get("/review/queue/export.jsonl", {"text": wanted})
    told = json.loads(await read_text(response))
    shown = "[email 1]" if is_masked else mine
    assert told["personal_data"] == ["email"]
    assert told["title"] == f"Mail {shown}"
    assert told["flagged_because"] == [f"{shown} is mine"]
    assert [(each["text"], each["personal_data"]) for each in told["said"]] == [
        (f"Mail {shown}", ["email"]),
        (f"About Mail {shown}", ["email"]),
    ]
    response = await client.get("/review/queue/export.csv")
    (row,) = csv.DictReader(io.StringIO((await read_text(response)).removeprefix("\ufeff")))
    assert row["personal_data"] == "email"


async def test_an_export_contains_all_pages_of_the_list(
    lead_client: AsyncClient, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.review.cases.queue.CASES_PER_PAGE", 2)
    made = [await reported(alice, reason=each) for each in ("wrong", "harmful", "hateful") * 2]
    client = await begin(lead_client)
    response = await client.get("/review/queue/export.jsonl")
    told = [json.loads(line) for line in (await read_text(response)).splitlines()]
    assert [each["severity"] for each in told] == [3, 3, 2, 2, 1, 1]
    assert {each["case"] for each in told} == {each.pk for each in made}
    assert (await client.get("/review/queue/export.xls")).status_code == 404


async def test_an_export_ends_when_the_permission_is_lost(
    lead_client: AsyncClient, lead: User, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.review.cases.queue.CASES_PER_PAGE", 1)
    for each in ("wrong", "harmful"):
        await reported(alice, reason=each)
    client = await begin(lead_client)
    response: Any = await client.get("/review/queue/export.jsonl", {"text": "1"})
    pieces = aiter(response.streaming_content)
    await anext(pieces)
    await lead.user_permissions.aclear()
    with pytest.raises(DownloadBroken):
        await anext(pieces)
    assert await AccessLogEntry.objects.exclude(owner=None).acount() == 1
