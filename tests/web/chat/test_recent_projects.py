"""The sidebar lists the projects of recent chats, and begins a chat in one with one click."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.projects.models import Project
from chat.web.chat.sidebar import MAX_RECENT_PROJECTS
from tests.support.web.personas import page

pytestmark = pytest.mark.django_db


def project(owner: User, name: str, hours_ago: int, list_state: int = 1) -> Project:
    """Add a project with one chat, which was continued so many hours ago."""
    made = Project.objects.create(owner=owner, name=name)
    updated = timezone.now() - timedelta(hours=hours_ago)
    Conversation.objects.create(
        owner=owner, title="Chat", project=made, updated_at=updated, list_state=list_state
    )
    return made


def places(client: Client, *projects: Project) -> list[int]:
    """Return where the page begins a chat in each project; -1 if nowhere."""
    html = page(client, "/chat/")
    return [html.find(f'href="/chat/?project={each.pk}"') for each in projects]


def test_the_project_used_last_is_first_wherever_its_chat_is_in_the_list(
    browser: Client, alice: User
) -> None:
    old = project(alice, "Old", 5, Conversation.ListState.PINNED)
    new = project(alice, "New", 1)
    first, second = places(browser, new, old)
    assert 0 < first < second
    assert f'href="/projects/{new.pk}/"' in page(browser, "/chat/")


def test_a_project_is_listed_once_and_its_name_is_text(browser: Client, alice: User) -> None:
    rhine = project(alice, "The <Rhine>", 1)
    Conversation.objects.create(owner=alice, title="Another", project=rhine)
    html = page(browser, "/chat/")
    assert html.count('aria-label="New chat: The &lt;Rhine&gt;"') == 1
    assert "The <Rhine>" not in html


def test_only_some_are_listed(browser: Client, alice: User) -> None:
    made = [project(alice, f"Project {n}", n) for n in range(MAX_RECENT_PROJECTS + 1)]
    found = places(browser, *made)
    assert min(found[:-1]) > 0
    assert found[-1] == -1


def test_an_archived_project_is_not_offered(browser: Client, alice: User) -> None:
    rhine = project(alice, "Rhine", 1)
    Project.objects.update(is_archived=True)
    assert places(browser, rhine) == [-1]


def test_members_without_projects_see_no_heading(browser: Client, alice: User, bob: User) -> None:
    Conversation.objects.create(owner=alice, title="Chat")
    project(bob, "His", 1)
    html = page(browser, "/chat/")
    assert 'class="recent-projects"' not in html
    assert "His" not in html


def test_the_page_of_a_chat_lists_them_too(browser: Client, alice: User) -> None:
    rhine = project(alice, "Rhine", 1)
    chat = rhine.conversations.get()
    assert f'href="/chat/?project={rhine.pk}"' in page(browser, f"/chat/{chat.pk}/")


def test_a_page_of_other_chats_than_the_newest_lists_none(browser: Client, alice: User) -> None:
    rhine = project(alice, "Rhine", 1)
    before = f"1,{timezone.now().isoformat()},{rhine.pk}".replace("+", "%2B")
    html = page(browser, f"/chat/?before={before}")
    assert 'aria-label="New chat: Rhine"' not in html
    assert ">Chat<" in html
