"""Administrators change the site's name, look, sign-up and welcome in the page, on the record."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.review.access_log.staff_actions import StaffAction
from chat.site_settings import effective
from chat.site_settings.models import SiteLogo, SiteSetting
from tests.review.conftest import give, recorded_actions
from tests.support.review.member_pages import WHY, client_of, text_of
from tests.support.web.signed_in import signed_in
from tests.support.widget.pictures import png

LOOK, SIGN_UP, WELCOME = "/review/site/", "/review/site/sign-up/", "/review/site/welcome/"


def details() -> list[str]:
    found = recorded_actions().filter(kind=StaffAction.Kind.SITE_CHANGED).order_by("id")
    assert {each.reason for each in found} <= {WHY}
    return list(found.values_list("detail", flat=True))


def upload(client: Client, content: bytes, **values: Any) -> Any:
    return client.post(LOOK, {"logo": SimpleUploadedFile("a.png", content), **values})


def test_a_name_and_a_colour_appear_on_every_page(admin_browser: Client) -> None:
    assert (
        admin_browser.post(LOOK, {"site_name": "Brook", "accent_color": "#FFD400"}).status_code
        == 302
    )
    for path in ("/chat/", LOOK):
        page = text_of(admin_browser, path)
        assert "Brook" in page
        assert "/brand/accent-ffd400.css" in page
    assert "appears as #806a00 on light pages" in text_of(admin_browser, LOOK)
    assert "Sign in to Brook" in text_of(Client(), "/accounts/login/")
    assert details() == ["SITE_NAME: – → Brook", "ACCENT_COLOR: – → #ffd400"]


def test_saving_again_without_a_change_records_nothing(admin_browser: Client) -> None:
    admin_browser.post(LOOK, {"site_name": "Brook"})
    admin_browser.post(LOOK, {"site_name": "Brook"})
    assert details() == ["SITE_NAME: – → Brook"]


def test_a_blank_field_has_its_usual_value_again(admin_browser: Client) -> None:
    admin_browser.post(LOOK, {"site_name": "Brook"})
    admin_browser.post(LOOK, {"site_name": ""})
    assert effective.site_name() == "Runnel"
    assert not SiteSetting.objects.exists()
    assert details()[-1] == "SITE_NAME: Brook → –"


@pytest.mark.parametrize("color", ["red", "#12345", "#12345g", "url(x)", "#fff;x:y"])
def test_only_a_colour_is_a_colour(admin_browser: Client, color: str) -> None:
    assert admin_browser.post(LOOK, {"accent_color": color}).status_code == 422
    assert effective.accent_color() == ""


def test_a_logo_is_shown_replaced_and_removed(admin_browser: Client) -> None:
    assert upload(admin_browser, png(20, 20)).status_code == 302
    first = effective.logo()
    assert f"/brand/logo/{first}" in text_of(Client(), "/accounts/login/")
    upload(admin_browser, png(30, 30))
    assert SiteLogo.objects.get().digest == effective.logo() != first
    admin_browser.post(LOOK, {"remove_logo": "on"})
    assert not SiteLogo.objects.exists()
    assert "/brand/logo/" not in text_of(admin_browser, "/chat/")


@pytest.mark.parametrize(
    "content",
    [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", png(2000, 2), b"\x89PNG" * 50_000],
)
def test_a_file_that_is_no_small_picture_is_refused(admin_browser: Client, content: bytes) -> None:
    assert upload(admin_browser, content).status_code == 422
    assert not SiteLogo.objects.exists()


def test_the_policy_for_signing_up_applies_at_once(admin_browser: Client) -> None:
    stranger = Client()
    assert b'name="password1"' in stranger.get("/accounts/signup/").content
    sent = {"sign_up": "invitation", "privacy_url": "https://example.org/privacy"}
    assert admin_browser.post(SIGN_UP, sent).status_code == 302
    page = text_of(stranger, "/accounts/signup/")
    assert 'name="password1"' not in page
    assert 'href="https://example.org/privacy"' in page


def test_who_signs_up_reads_what_they_agree_to(admin_browser: Client) -> None:
    sent = {"sign_up": "open", "terms_url": "https://example.org/terms"}
    admin_browser.post(SIGN_UP, sent)
    page = text_of(Client(), "/accounts/signup/")
    assert "you agree to the" in page
    assert 'href="https://example.org/terms"' in page


@pytest.mark.parametrize(
    "sent",
    [
        {"sign_up": "anybody"},
        {"sign_up": "open", "terms_url": "javascript:alert(1)"},
        {"sign_up": "open", "privacy_url": "example.org"},
        {"sign_up": "open", "domains": "example.org"},  # nobody confirms an address here
    ],
)
def test_a_policy_that_makes_no_sense_is_refused(
    admin_browser: Client, sent: dict[str, str]
) -> None:
    assert admin_browser.post(SIGN_UP, sent).status_code == 422
    assert details() == []


def test_domains_can_be_chosen_if_addresses_are_confirmed(
    admin_browser: Client, settings: Settings
) -> None:
    needed = "Requires the environment variable EMAIL_CONFIRMATION=mandatory."
    assert needed in text_of(admin_browser, SIGN_UP)
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    assert needed not in text_of(admin_browser, SIGN_UP)
    sent = {"sign_up": "open", "domains": "@Example.org\r\nschool.example"}
    assert admin_browser.post(SIGN_UP, sent).status_code == 302
    assert effective.sign_up_domains() == ["example.org", "school.example"]
    who = {
        "email": "eve@example.com",
        "password1": "correct horse 9",
        "password2": "correct horse 9",
    }
    assert b"use an email address that ends in" in Client().post("/accounts/signup/", who).content


def test_what_the_environment_sets_is_shown_and_stays(
    admin_browser: Client, settings: Settings
) -> None:
    settings.SET_IN_ENVIRONMENT = frozenset({"SITE_NAME", "SIGN_UP"})
    settings.SIGN_UP = "approval"
    page = text_of(admin_browser, LOOK)
    assert "Set by the environment variable SITE_NAME" in page
    admin_browser.post(LOOK, {"site_name": "Brook", "accent_color": "#0b6e4f"})
    admin_browser.post(SIGN_UP, {"sign_up": "open"})
    assert effective.site_name() == "Runnel"
    assert effective.sign_up() == "approval"
    assert details() == ["ACCENT_COLOR: – → #0b6e4f"]


def test_members_see_the_example_questions(admin_browser: Client, alice: User) -> None:
    admin_browser.post(WELCOME, {"starters": "How do I <b>book</b> a room?\r\n\r\nWho is on call?"})
    page = text_of(client_of(alice), "/chat/")
    assert 'data-prompt="How do I &lt;b&gt;book&lt;/b&gt; a room?"' in page
    assert 'data-prompt="Who is on call?"' in page


def test_an_announcement_ends_after_it_begins(admin_browser: Client) -> None:
    now = timezone.now()
    times = {"starts_at": now.isoformat(), "ends_at": (now - timedelta(hours=1)).isoformat()}
    assert admin_browser.post(WELCOME, {"announcement": "Hello", **times}).status_code == 422
    later = (now + timedelta(hours=1)).isoformat()
    sent = {"announcement": "Hello", "level": "urgent", "starts_at": "", "ends_at": later}
    assert admin_browser.post(WELCOME, sent).status_code == 302
    found = effective.announcement()
    assert found
    assert (found.text, found.level, found.is_current()) == ("Hello", "urgent", True)


def test_a_change_needs_a_reason(administrator: User) -> None:
    client = signed_in(administrator)
    assert b"Reason for this action" in client.post(LOOK, {"site_name": "Brook"}).content
    assert effective.site_name() == "Runnel"


def test_a_file_that_the_question_for_a_reason_loses_is_mentioned(administrator: User) -> None:
    client = signed_in(administrator)
    note = "The file can't be kept. Choose it again afterwards."
    assert note in upload(client, png(20, 20)).content.decode()
    assert note not in client.post(LOOK, {"site_name": "Brook"}).content.decode()


def test_leads_and_members_change_nothing(alice: User, rita: User) -> None:
    for person in (alice, give(rita, "lead_review", None)):
        client = client_of(person)
        for path in (LOOK, SIGN_UP, WELCOME, "/review/setup/"):
            assert client.get(path).status_code == 404
            assert client.post(path, {"site_name": "Mine", "sign_up": "open"}).status_code == 404
    assert not SiteSetting.objects.exists()
