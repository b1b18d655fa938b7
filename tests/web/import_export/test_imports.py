"""The import form."""

from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.import_export.export_archive import export_archive
from tests.import_export.trees import exported, new_conversation

PATH = "/settings/import/"


def bring(browser: Client, data: bytes, name: str = "Rivers.json") -> str:
    """Submit the form, and return the next page."""
    response = browser.post(PATH, {"file": SimpleUploadedFile(name, data)}, follow=True)
    return response.content.decode()


def test_one_conversation_is_imported(alice: User, bob: User, bob_browser: Client) -> None:
    page = bring(bob_browser, exported(new_conversation(alice)))
    assert "1 chat was imported." in page
    assert "Rivers" in page
    conversation = Conversation.objects.get(owner=bob)
    shown = bob_browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "Why do rivers bend?" in shown
    assert "Second." in shown
    assert "First." not in shown
    assert "&quot;total_tokens&quot;: 16" in shown
    assert conversation.updated_at.year == 2026


def test_a_zip_file_is_imported(alice: User, bob_browser: Client) -> None:
    for _ in range(3):
        new_conversation(alice)
    page = bring(bob_browser, b"".join(export_archive(alice)), "everything.zip")
    assert "3 chats were imported." in page


def test_importing_a_file_twice_adds_copies_and_changes_nothing(
    alice: User, bob: User, bob_browser: Client
) -> None:
    file = exported(new_conversation(alice))
    for _ in range(2):
        bring(bob_browser, file)
    theirs = [exported(each) for each in Conversation.objects.filter(owner=bob)]
    assert theirs == [file, file]
    assert [exported(each) for each in Conversation.objects.filter(owner=alice)] == [file]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[]", "This file isn't an export from Runnel, ChatGPT, Claude, Open WebUI or LibreChat."),
        (b'{"format":"runnel","ver', "This file is damaged or incomplete."),
        (b"", "The submitted file is empty."),
    ],
)
def test_an_invalid_file_is_reported_at_the_form(
    bob_browser: Client, data: bytes, words: str
) -> None:
    response = bob_browser.post(PATH, {"file": SimpleUploadedFile("x.json", data)})
    assert response.status_code == 422
    assert words in unescape(response.content.decode())
    assert not Conversation.all_objects.exists()


def test_a_form_without_a_file_is_refused_with_a_message(bob_browser: Client) -> None:
    response = bob_browser.post(PATH, {"file": "a text"})
    assert response.status_code == 422
    assert "This field is required." in response.content.decode()


def test_hostile_text_is_imported_as_text(alice: User, bob_browser: Client) -> None:
    attack = b"<script>alert(1)</script>"
    file = exported(new_conversation(alice)).replace(b"Second.", attack).replace(b"Rivers", attack)
    file = file.replace(b'"model":"', b'"model":"' + attack)
    page = bring(bob_browser, file.replace(b'"finish_reason":"stop"', b'"finish_reason":"<b>"'))
    assert "<script>alert" not in page
    conversation = Conversation.objects.get(title=attack.decode())
    page = bob_browser.get(f"/chat/{conversation.pk}/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_file_above_the_limit_is_refused_with_a_message(alice: User, bob_browser: Client) -> None:
    with override_settings(MAX_IMPORT_BYTES=100):
        page = bring(bob_browser, exported(new_conversation(alice)))
    assert "This file is too large to import at once." in page


def test_a_file_that_was_not_read_at_all_is_refused_with_a_message(bob_browser: Client) -> None:
    page = bob_browser.get(f"{PATH}?too_long")
    assert "This file is too large to import at once." in page.content.decode()
