"""Exports name a chat's project and tags, and imports put the chat there again."""

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.import_export.export_archive import export_archive
from chat.personas.models import Persona
from chat.projects.models import MAX_PROJECTS, MAX_TAGS, ChatTag, Project
from tests.import_export.trees import exported, new_conversation
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def tag(owner: User, name: str) -> ChatTag:
    return ChatTag.objects.create(owner=owner, name=name, folded_name=ChatTag.fold(name))


@pytest.fixture
def chat(alice: User) -> Conversation:
    found = new_conversation(alice)
    persona = Persona.objects.create(owner=alice, name="Pirate")
    found.project = Project.objects.create(
        owner=alice, name="The Rhine", instructions="Private", persona=persona
    )
    found.save()
    found.tags.set([tag(alice, "Work"), tag(alice, "later on")])
    return found


def bring(user: User, data: bytes) -> str:
    file = {"file": SimpleUploadedFile("chats.json", data)}
    return signed_in(user).post("/settings/import/", file, follow=True).content.decode()


def test_a_chat_is_exported_with_names_and_without_the_instructions(chat: Conversation) -> None:
    file = exported(chat)
    head = json.loads(file)
    assert (head["project"], head["tags"]) == ("The Rhine", ["later on", "Work"])
    assert b"Private" not in file
    plain = json.loads(exported(Conversation.objects.create(owner=chat.owner, title="Plain")))
    assert "project" not in plain
    assert "tags" not in plain


def test_an_import_creates_what_is_missing_and_uses_what_is_there(
    chat: Conversation, bob: User
) -> None:
    file = exported(chat)
    his = Project.objects.create(owner=bob, name="The Rhine", instructions="His own")
    tag(bob, "WORK")
    for _ in range(2):
        assert "1 chat was imported." in bring(bob, file)
    assert his.conversations.count() == 2
    assert {each.name for each in ChatTag.objects.filter(owner=bob)} == {"WORK", "later on"}
    assert all(each.tags.count() == 2 for each in Conversation.objects.filter(owner=bob))
    his.delete()
    Conversation.objects.filter(owner=bob).delete()
    ChatTag.objects.filter(owner=bob).delete()
    bring(bob, file)
    assert exported(Conversation.objects.get(owner=bob)) == file


def test_a_full_list_of_projects_or_tags_refuses_no_chat(chat: Conversation, bob: User) -> None:
    Project.objects.bulk_create(Project(owner=bob, name=str(n)) for n in range(MAX_PROJECTS))
    ChatTag.objects.bulk_create(
        ChatTag(owner=bob, name=str(n), folded_name=str(n)) for n in range(MAX_TAGS)
    )
    assert "1 chat was imported." in bring(bob, exported(chat))
    one = Conversation.objects.get(owner=bob)
    assert one.project is None
    assert not one.tags.exists()


@pytest.mark.parametrize(
    "wrong", [{"project": ""}, {"project": "x" * 81}, {"tags": ["x" * 41]}, {"tags": "Work"}]
)
def test_wrong_names_refuse_the_file(
    chat: Conversation, bob: User, wrong: dict[str, object]
) -> None:
    file = json.loads(exported(chat)) | wrong
    assert "Nothing was imported." in bring(bob, json.dumps(file).encode())
    assert not Conversation.objects.filter(owner=bob).exists()


def test_everything_of_an_account_includes_projects_and_tags(chat: Conversation, bob: User) -> None:
    Project.objects.create(owner=bob, name="His")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(export_archive(chat.owner))))
    [project] = json.loads(archive.read("projects.json"))["projects"]
    assert (project["name"], project["instructions"]) == ("The Rhine", "Private")
    assert (project["persona_name"], project["is_archived"]) == ("Pirate", False)
    assert {each["name"] for each in json.loads(archive.read("tags.json"))["tags"]} == {
        "Work",
        "later on",
    }
