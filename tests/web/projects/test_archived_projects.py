"""Archived projects: out of the way, but nothing of them is lost."""

import pytest
from django.test import Client

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.projects.models import Project
from tests.support.web.personas import page
from tests.support.web.signed_in import signed_in

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def project(alice: User) -> Project:
    return Project.objects.create(owner=alice, name="The <Rhine>", instructions="Of rivers only")


@pytest.fixture
def chat(alice: User, project: Project) -> Conversation:
    return Conversation.objects.create(owner=alice, title="Of water", project=project)


def archive(client: Client, project: Project) -> None:
    done = client.post(f"/projects/{project.pk}/state/", {"state": "archive"}, follow=True)
    assert done.redirect_chain == [("/projects/", 302)]
    assert "Project archived." in done.content.decode()


def test_an_archived_project_is_in_its_own_list(browser: Client, project: Project) -> None:
    assert "No archived projects yet." in page(browser, "/projects/archive/")
    archive(browser, project)
    assert "The &lt;Rhine&gt;" not in page(browser, "/projects/")
    assert "The &lt;Rhine&gt;" in page(browser, "/projects/archive/")
    shown = page(browser, f"/projects/{project.pk}/")
    assert "This project is archived." in shown
    assert f"/chat/?project={project.pk}" not in shown  # no new chats


def test_no_chat_is_begun_in_an_archived_project(browser: Client, project: Project) -> None:
    begun = f"/chat/?project={project.pk}"
    assert "The &lt;Rhine&gt;" in page(browser, begun)
    archive(browser, project)
    assert browser.get(begun).headers["Location"] == f"/projects/{project.pk}/"


def test_a_chat_of_a_page_opened_before_is_refused_in_words(
    browser: Client, project: Project
) -> None:
    archive(browser, project)
    message = {"key": "k" * 22, "text": "One", "project": str(project.pk)}
    refused = browser.post("/chat/messages", message, content_type="application/json")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "project_archived"
    assert not Conversation.objects.exists()


def test_a_dialog_opened_before_moves_no_chat_there(
    browser: Client, project: Project, alice: User
) -> None:
    other = Conversation.objects.create(owner=alice, title="Of fire")
    archive(browser, project)
    fields = {"project": str(project.pk), "chat": str(other.pk)}
    refused = browser.post("/chat/selection/", fields, headers=HTMX)
    assert refused.status_code == 409
    assert "This project is archived." in refused.content.decode()
    other.refresh_from_db()
    assert other.project is None


@pytest.mark.parametrize("targets", ["project", "drop"])
def test_no_chat_is_moved_to_an_archived_project(
    browser: Client, alice: User, project: Project, targets: str
) -> None:
    other = Conversation.objects.create(owner=alice, title="Of fire")
    choices = (f"/chat/selection/targets/?for={targets}", f"/chat/{other.pk}/project/")
    assert all(str(project.pk) in page(browser, path) for path in choices)
    archive(browser, project)
    assert not any(str(project.pk) in page(browser, path) for path in choices)


def test_the_chats_of_an_archived_project_stay_as_they_are(
    browser: Client, project: Project, chat: Conversation
) -> None:
    archive(browser, project)
    chat.refresh_from_db()
    assert chat.project == project
    assert "Of water" in page(browser, f"/projects/{project.pk}/")
    assert "Of water" in page(browser, "/chat/sidebar/")
    assert "Of water" in page(browser, "/chat/search/?q=water")
    assert f'href="/projects/{project.pk}/"' in page(browser, f"/chat/{chat.pk}/")
    dialog = browser.get(f"/chat/{chat.pk}/project/", headers=HTMX).content.decode()
    assert "No project" in dialog  # it can leave


@pytest.mark.parametrize(("fields", "leads"), [({}, "{pk}/"), ({"from": "archive"}, "archive/")])
def test_an_unarchived_project_is_offered_again(
    browser: Client, project: Project, fields: dict[str, str], leads: str
) -> None:
    archive(browser, project)
    path = f"/projects/{project.pk}/state/"
    done = browser.post(path, {"state": "list", **fields}, follow=True)
    assert done.redirect_chain == [("/projects/" + leads.format(pk=project.pk), 302)]
    assert "Project unarchived." in done.content.decode()
    assert "The &lt;Rhine&gt;" in page(browser, "/projects/")


def test_an_unknown_state_is_refused(browser: Client, project: Project) -> None:
    for wrong in ({}, {"state": "pins"}):
        assert browser.post(f"/projects/{project.pk}/state/", wrong).status_code == 400
    project.refresh_from_db()
    assert not project.is_archived


def test_somebody_else_neither_archives_nor_sees_it(
    browser: Client, bob: User, project: Project
) -> None:
    his, path = signed_in(bob), f"/projects/{project.pk}/state/"
    assert his.post(path, {"state": "archive"}).status_code == 404
    archive(browser, project)
    assert his.post(path, {"state": "list"}).status_code == 404
    assert "The &lt;Rhine&gt;" not in page(his, "/projects/archive/")
    project.refresh_from_db()
    assert project.is_archived


def test_editing_an_archived_project_leaves_it_archived(browser: Client, project: Project) -> None:
    archive(browser, project)
    browser.post(f"/projects/{project.pk}/settings/", {"name": "The Elbe"})
    assert "The Elbe" in page(browser, "/projects/archive/")
