"""The pages of projects: create, edit and delete them, and start chats in them."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.personas.models import Persona
from chat.projects.models import INSTRUCTIONS_LENGTH, MAX_PROJECTS, Project
from tests.support.web.personas import page

pytestmark = pytest.mark.django_db


def test_a_project_is_created_edited_and_shown(browser: Client, alice: User) -> None:
    pirate = Persona.objects.create(owner=alice, name="Pirate")
    fields = {"name": " The  Rhine ", "instructions": "Of <rivers>\r\nonly", "persona": pirate.pk}
    made = browser.post("/projects/new/", fields)
    project = Project.objects.get()
    assert made["Location"] == f"/projects/{project.pk}/"
    assert (project.name, project.instructions) == ("The Rhine", "Of <rivers>\nonly")
    assert project.persona == pirate
    shown = page(browser, f"/projects/{project.pk}/")
    assert "Of &lt;rivers&gt;" in shown
    assert ">Pirate</bdi>" in shown
    browser.post(f"/projects/{project.pk}/settings/", {"name": "The Elbe"})
    project.refresh_from_db()
    assert (project.name, project.instructions, project.persona) == ("The Elbe", "", None)
    assert "The Elbe" in page(browser, "/projects/")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 81},
        {"name": "x", "instructions": "x" * (INSTRUCTIONS_LENGTH + 1)},
        {"name": "x", "persona": "nonsense"},
    ],
)
def test_invalid_fields_are_shown_again(browser: Client, wrong: dict[str, str]) -> None:
    response = browser.post("/projects/new/", wrong)
    assert response.status_code == 422
    assert "Not saved yet." in response.content.decode()
    assert not Project.objects.exists()


def test_somebody_elses_persona_cannot_be_chosen(browser: Client, bob: User) -> None:
    his = Persona.objects.create(owner=bob, name="His")
    assert browser.post("/projects/new/", {"name": "x", "persona": his.pk}).status_code == 422


def test_the_number_of_projects_is_limited(browser: Client, alice: User) -> None:
    Project.objects.bulk_create(Project(owner=alice, name="x") for _each in range(MAX_PROJECTS))
    refused = browser.post("/projects/new/", {"name": "One more"})
    assert refused.status_code == 422
    assert "You&#x27;ve reached the limit of 100." in refused.content.decode()


def test_deleting_a_project_keeps_its_chats_and_says_so(browser: Client, alice: User) -> None:
    project = Project.objects.create(owner=alice, name="The Rhine")
    chat = Conversation.objects.create(owner=alice, title="Kept", project=project)
    assert "Its chats are kept" in page(browser, f"/projects/{project.pk}/deletion/")
    done = browser.post(f"/projects/{project.pk}/deletion/", follow=True)
    assert "Its chats were kept." in done.content.decode()
    chat.refresh_from_db()
    assert chat.project is None
    assert not Project.objects.exists()


def test_a_new_chat_in_a_project_gets_its_persona(browser: Client, alice: User) -> None:
    pirate = Persona.objects.create(owner=alice, name="Pirate")
    other = Persona.objects.create(owner=alice, name="Other")
    project = Project.objects.create(owner=alice, name="The Rhine", persona=pirate)
    html = page(browser, f"/chat/?project={project.pk}")
    assert f'data-project="{project.pk}"' in html
    assert f'data-persona="{pirate.pk}"' in html
    assert f'name="project" value="{project.pk}"' in html
    assert f"?project={project.pk}&amp;persona={other.pk}" in html  # another one may be chosen
    none = page(browser, f"/chat/?project={project.pk}&persona=")
    assert "data-persona" not in none
    assert f'data-project="{project.pk}"' in none


def test_somebody_elses_project_starts_no_chat(browser: Client, bob: User) -> None:
    his = Project.objects.create(owner=bob, name="His")
    assert browser.get(f"/chat/?project={his.pk}").status_code == 404
    assert browser.get("/chat/?project=nonsense").status_code == 404


def test_the_page_of_a_chat_links_to_its_project(browser: Client, alice: User) -> None:
    project = Project.objects.create(owner=alice, name="The Rhine")
    chat = Conversation.objects.create(owner=alice, title="Of water", project=project)
    assert f'href="/projects/{project.pk}/"' in page(browser, f"/chat/{chat.pk}/")


def test_a_project_lists_its_chats_in_pages_of_few_queries(
    browser: Client, alice: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    project = Project.objects.create(owner=alice, name="The Rhine")
    Conversation.objects.bulk_create(
        Conversation(owner=alice, title=f"Chat {number}", project=project) for number in range(60)
    )
    Conversation.objects.create(owner=alice, title="Elsewhere")
    path = f"/projects/{project.pk}/"
    page(browser, path)
    with django_assert_max_num_queries(5):
        html = page(browser, path)
    assert html.count("/chat/") >= 50
    assert "Elsewhere" not in html
    assert "Older chats" in html
