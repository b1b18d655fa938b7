"""The first steps are remembered, and the note about them can be dismissed and found again."""

from django.test import Client

from chat.accounts.models import User
from chat.review.site_setup import checklist
from chat.site_settings import effective
from tests.review.conftest import recorded_actions
from tests.support.review.member_pages import client_of, text_of

PAGE = "/review/setup/"


def done() -> set[str]:
    return {each.name for each in checklist.steps() if each.is_done}


def test_on_a_new_site_nothing_is_done(admin_browser: Client) -> None:
    assert done() == set()
    assert "0 of 8 steps done" in text_of(admin_browser, PAGE)


def test_steps_are_done_by_doing_them(admin_browser: Client) -> None:
    admin_browser.post("/review/site/", {"site_name": "Brook"})
    admin_browser.post(
        "/review/site/sign-up/", {"sign_up": "open", "terms_url": "https://a.example"}
    )
    admin_browser.post("/review/site/welcome/", {"starters": "Why?"})
    admin_browser.post(
        "/review/site/model/", {"protocol": "workers-ai", "account_id": "abc", "token": "secret"}
    )
    admin_browser.post("/review/invitations/", {"people": "mia@example.org"})
    assert done() >= {"model", "look", "sign_up", "links", "starters", "people"}


def test_a_step_that_is_not_needed_is_marked_as_done_and_again_not(
    admin_browser: Client,
) -> None:
    admin_browser.post(PAGE, {"step": "limits", "done": "yes"})
    admin_browser.post(PAGE, {"step": "nonsense", "done": "yes"})
    assert done() == {"limits"}
    admin_browser.post(PAGE, {"step": "limits", "done": "no"})
    assert done() == set()
    assert not recorded_actions().exists()


def test_the_note_is_dismissed_and_found_again(transactional_db: None) -> None:
    ada = User.objects.create_superuser("ada@example.org", "correct horse")
    client = client_of(ada)
    assert "Set up this site" in text_of(client, "/chat/")
    client.post(PAGE, {"hidden": "yes"})
    assert effective.is_checklist_hidden()
    assert "Set up this site" not in text_of(client, "/chat/")
    client.post(PAGE, {"hidden": "no"})
    assert "Set up this site" in text_of(client, "/chat/")


def test_members_see_no_note(alice: User) -> None:
    assert "Set up this site" not in text_of(client_of(alice), "/chat/")


def test_the_reason_is_filled_in_until_the_note_is_dismissed(admin_browser: Client) -> None:
    assert 'value="Setting up the site"' in text_of(admin_browser, "/review/site/")
    admin_browser.post(PAGE, {"hidden": "yes"})
    assert 'value="Setting up the site"' not in text_of(admin_browser, "/review/site/")
