"""A person's record proves to be authentic, and a changed one is recognised."""

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.data_requests import signed_archive, signing
from chat.data_requests.models import DataRequest
from tests.support.review.data_requests import TODAY, content_of, page_of


@pytest.fixture
def record(officer_client: Client, hers: Conversation, alice: User, tmp_path: Path) -> Path:
    response = officer_client.post(f"{page_of(alice.pk)}record.zip", TODAY)
    path = tmp_path / "record.zip"
    path.write_bytes(content_of(response))
    return path


def test_a_record_proves_to_be_authentic(
    record: Path, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_record", str(record))
    printed = capsys.readouterr().out
    assert f"request {DataRequest.objects.get().pk} of person {alice.pk}" in printed


def changed(path: Path, name: str, content: bytes | None) -> Path:
    """Return a copy in which one file has other content, or is missing."""
    made = path.with_name("changed.zip")
    with ZipFile(path) as before, ZipFile(made, "w") as after:
        for each in before.namelist():
            if each != name:
                after.writestr(each, before.read(each))
        if content is not None:
            after.writestr(name, content)
    return made


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("account.json", b"{}", "account.json has been changed"),
        ("account.json", None, "account.json is missing"),
        ("added.json", b"{}", "it has files that aren't in its manifest"),
        ("manifest.json", b"{}", "its manifest isn't signed by this site"),
        ("manifest.sig", b"x" * 64, "its manifest isn't signed by this site"),
        ("manifest.sig", None, "it has no signed manifest"),
    ],
)
def test_a_changed_record_is_recognised(
    record: Path, name: str, content: bytes | None, problem: str
) -> None:
    with pytest.raises(CommandError, match=problem):
        call_command("verify_record", str(changed(record, name, content)))


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"not a zip")
    with pytest.raises(CommandError, match="it is damaged"):
        call_command("verify_record", str(tmp_path / "x.zip"))
    with pytest.raises(CommandError, match="There is no file"):
        call_command("verify_record", str(tmp_path / "none.zip"))


def test_another_sites_key_verifies_nothing(record: Path, settings: Iterator[object]) -> None:
    settings.AUDIT_KEY = "the key of another site"  # type: ignore[attr-defined]
    with pytest.raises(signed_archive.InvalidArchive, match="isn't signed by this site"):
        signed_archive.verified(record)


def test_the_public_key_is_shown_and_is_always_the_same(officer_client: Client) -> None:
    page = officer_client.get("/review/data-requests/").content.decode()
    key = signing.public_key()
    assert "BEGIN PUBLIC KEY" in key
    assert key.strip().splitlines()[1].replace("+", "+") in page.replace("&#x2B;", "+")
    assert key == signing.public_key()
