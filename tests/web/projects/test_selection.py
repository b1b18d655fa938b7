"""Several chats at once: move, tag, archive, pin and delete them, and undo it."""

import re
import uuid
from collections.abc import Iterable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.conversations.selection import MAX_SELECTED
from chat.projects.models import ChatTag, Project

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
ListState = Conversation.ListState


@pytest.fixture
def chats(alice: User) -> list[Conversation]:
    states = (ListState.LISTED, ListState.PINNED, ListState.LISTED)
    return [
        Conversation.objects.create(owner=alice, title=f"Chat {number}", list_state=state)
        for number, state in enumerate(states)
    ]


def act(
    client: Client, chats: Iterable[Conversation], page: str = "/chat/", **action: str
) -> HttpResponse:
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{page}"}
    fields = {"chat": [str(each.pk) for each in chats], **action}
    return client.post("/chat/selection/", fields, headers=headers)


def undo(client: Client, response: HttpResponse) -> HttpResponse:
    """Submit the toast's form, as its button does."""
    html = response.content.decode()
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html):
        fields.setdefault(name, []).append(value)
    assert 'class="button undo"' in html
    return client.post("/chat/selection/", fields, headers=HTMX)


def test_chats_are_moved_to_a_project_and_back_to_where_each_was(
    browser: Client, alice: User, chats: list[Conversation]
) -> None:
    old, new = (Project.objects.create(owner=alice, name=name) for name in ("Old", "<New>"))
    Conversation.objects.filter(pk=chats[0].pk).update(project=old)
    response = act(browser, chats, project=str(new.pk))
    assert "3 chats moved to “&lt;New&gt;”." in response.content.decode()
    assert response["HX-Trigger-After-Swap"] == "conversations"
    assert new.conversations.count() == 3
    assert undo(browser, response).status_code == 200
    assert list(old.conversations.all()) == [chats[0]]
    assert not new.conversations.exists()
    assert act(browser, chats[:1], project="").status_code == 200
    assert not old.conversations.exists()


def test_chats_are_tagged_and_undo_removes_the_tag_only_where_it_is_new(
    browser: Client, alice: User, chats: list[Conversation]
) -> None:
    tag = ChatTag.objects.create(owner=alice, name="Work", folded_name="work")
    chats[0].tags.add(tag)
    response = act(browser, chats, tag=str(tag.pk))
    assert tag.conversations.count() == 3
    undo(browser, response)
    assert list(tag.conversations.all()) == [chats[0]]


def test_archived_chats_return_to_their_places(browser: Client, chats: list[Conversation]) -> None:
    response = act(browser, chats, state="archive")
    assert "3 chats archived." in response.content.decode()
    assert set(Conversation.objects.values_list("list_state", flat=True)) == {ListState.ARCHIVED}
    undo(browser, response)
    states = [Conversation.objects.get(pk=each.pk).list_state for each in chats]
    assert states == [each.list_state for each in chats]


def test_deleted_chats_can_be_restored(browser: Client, chats: list[Conversation]) -> None:
    response = act(browser, chats, delete="yes")
    assert "3 chats deleted." in response.content.decode()
    assert not Conversation.objects.exists()
    undo(browser, response)
    assert Conversation.objects.count() == 3


def test_a_chat_on_legal_hold_is_kept_and_said(browser: Client, chats: list[Conversation]) -> None:
    Conversation.objects.filter(pk=chats[0].pk).update(held_at=timezone.now())
    response = act(browser, chats, delete="yes")
    assert "1 chat under review was kept." in response.content.decode()
    assert list(Conversation.objects.all()) == [chats[0]]


def test_the_page_of_a_deleted_chat_is_left_and_undo_is_offered_there(
    browser: Client, chats: list[Conversation]
) -> None:
    response = act(browser, chats, page=f"/chat/{chats[1].pk}/", delete="yes")
    assert response["HX-Redirect"] == "/chat/?done=1"
    page = browser.get("/chat/?done=1")
    undo(browser, page)
    assert Conversation.objects.count() == 3
    assert "3 chats deleted." not in browser.get("/chat/?done=1").content.decode()  # only once


def test_the_header_of_the_open_chat_shows_its_new_project(
    browser: Client, alice: User, chats: list[Conversation]
) -> None:
    project = Project.objects.create(owner=alice, name="The Rhine")
    here = f"/chat/{chats[0].pk}/?tag=x"
    moved = act(browser, chats, page=here, project=str(project.pk)).content.decode()
    assert 'hx-swap-oob="innerHTML:#chat-project"' in moved
    assert f'href="/projects/{project.pk}/"' in moved
    for page in ("/chat/", "/nowhere/"):
        assert "chat-project" not in act(browser, chats, page=page, project="").content.decode()


def test_without_scripts_the_page_says_what_was_done(
    browser: Client, chats: list[Conversation]
) -> None:
    fields = {"chat": str(chats[0].pk), "state": "archive"}
    response = browser.post("/chat/selection/", fields, follow=True)
    assert "1 chat archived." in response.content.decode()


@pytest.mark.parametrize(
    "action",
    [
        {"state": "archive"}, {"delete": "yes"}, {"project": ""}, {"restore": "yes"},
        {"projects": ""}, {"states": "list"},
    ],
)  # fmt: skip
def test_one_chat_of_somebody_else_refuses_all(
    browser: Client, bob: User, chats: list[Conversation], action: dict[str, str]
) -> None:
    his = Conversation.objects.create(owner=bob, title="His")
    values = {
        name: [value] * 2 if name in ("projects", "states") else value
        for name, value in action.items()
    }
    fields = {"chat": [str(chats[0].pk), str(his.pk)], **values}
    assert browser.post("/chat/selection/", fields, headers=HTMX).status_code == 404
    assert Conversation.objects.filter(list_state=ListState.ARCHIVED).count() == 0
    assert Conversation.objects.count() == 4


@pytest.mark.parametrize("name", ["project", "projects", "tag", "untag"])
def test_somebody_elses_project_or_tag_is_not_found(
    browser: Client, bob: User, chats: list[Conversation], name: str
) -> None:
    one = (
        Project.objects.create(owner=bob, name="His")
        if name.startswith("project")
        else ChatTag.objects.create(owner=bob, name="His")
    )
    for wrong in (str(one.pk), str(uuid.uuid4()), "nonsense"):
        assert act(browser, chats[:1], **{name: wrong}).status_code == 404
    assert not one.conversations.exists()


@pytest.mark.parametrize(
    ("ids", "action"),
    [([], {"delete": "yes"}), (["x"], {}), (["x"] * 2, {"states": "list"})],
)
def test_a_wrong_request_is_refused(
    browser: Client, ids: list[str], action: dict[str, str]
) -> None:
    assert browser.post("/chat/selection/", {"chat": ids, **action}).status_code == 400


def test_the_number_of_chats_is_limited(browser: Client) -> None:
    ids = [str(uuid.uuid4()) for _each in range(MAX_SELECTED + 1)]
    assert browser.post("/chat/selection/", {"chat": ids, "delete": "yes"}).status_code == 400


@pytest.mark.parametrize("what", ["project", "tag", "filter", "drop"])
def test_the_targets_are_the_members_own(
    browser: Client, alice: User, bob: User, what: str
) -> None:
    for owner in (alice, bob):
        name = f"{owner.pk} owns this"
        Project.objects.create(owner=owner, name=name, instructions="Secret")
        ChatTag.objects.create(owner=owner, name=name, folded_name=name)
    html = browser.get("/chat/selection/targets/", {"for": what}).content.decode()
    assert f"{alice.pk} owns this" in html
    assert f"{bob.pk} owns this" not in html
    assert "Secret" not in html
