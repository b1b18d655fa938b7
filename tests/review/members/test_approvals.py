"""Sign-up with approval, and by invitation."""

from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.accounts.models import Invitation, User
from tests.review.conftest import recorded_actions
from tests.support.review.member_actions import Kind, kinds
from tests.support.review.member_pages import WHY, text_of

NEW = {"email": "new@example.org", "password1": "correct horse 9", "password2": "correct horse 9"}


def test_with_approval_a_new_account_waits(admin_browser: Client, settings: Any) -> None:
    settings.SIGN_UP = "approval"
    stranger = Client()
    answer = stranger.post("/accounts/signup/", NEW, follow=True)
    assert "awaiting approval" in answer.content.decode()
    assert stranger.get("/chat/").status_code == 302
    user = User.objects.get(email="new@example.org")
    assert "1 account is awaiting approval." in text_of(admin_browser, "/review/people/")
    assert admin_browser.post(f"/review/people/{user.pk}/approval/").status_code == 302
    assert mail.outbox[-1].to == ["new@example.org"]
    signed_in = stranger.post(
        "/accounts/login/", {"login": NEW["email"], "password": NEW["password1"]}, follow=True
    )
    assert signed_in.redirect_chain[-1][0] == "/chat/"
    assert kinds() == [Kind.APPROVED]
    assert admin_browser.post(f"/review/people/{user.pk}/refusal/").status_code == 400


def test_a_refused_account_is_deleted(admin_browser: Client, settings: Any) -> None:
    settings.SIGN_UP = "approval"
    Client().post("/accounts/signup/", NEW)
    user = User.objects.get(email="new@example.org")
    assert admin_browser.post(f"/review/people/{user.pk}/refusal/").status_code == 302
    assert not User.objects.filter(pk=user.pk).exists()
    assert recorded_actions().get().person == user.pk


@pytest.mark.parametrize("way", ["invitation", "closed"])
def test_nobody_signs_up_if_sign_up_is_restricted(
    way: str, settings: Any, transactional_db: None
) -> None:
    settings.SIGN_UP = way
    assert "/accounts/signup/" not in Client().get("/accounts/login/").content.decode()
    Client().post("/accounts/signup/", NEW)
    assert not User.objects.exists()


def invite(client: Client, people: str, **more: Any) -> str:
    response = client.post("/review/invitations/", {"people": people, **more})
    return str(response.content.decode())


def link_in(text: str) -> str:
    begin = text.index("/accounts/invitation/")
    return text[begin:].split('"')[0].split()[0]


@pytest.mark.parametrize("way", ["open", "invitation"])
def test_an_invitation_makes_one_account_once(
    admin_browser: Client, pupils: Group, settings: Any, way: str
) -> None:
    settings.SIGN_UP = way
    shown = invite(admin_browser, "new@example.org,pupils")
    assert "Email sent." in shown
    assert "/accounts/invitation/" not in shown  # whoever gets the mail has it, nobody else
    (sent,) = mail.outbox
    link = link_in(sent.body)
    assert Invitation.objects.get().digest not in link
    guest, late = Client(), Client()
    late.get(link)
    form = guest.get(link, follow=True)
    assert "new@example.org" in form.content.decode()
    assert link.split("/")[-2] not in form.content.decode()
    weak = guest.post("/accounts/invitation/", {"name": "Nia", "password": "12345"})
    assert weak.status_code == 200
    assert 'value="Nia"' in weak.content.decode()
    made = guest.post("/accounts/invitation/", {"name": "Nia", "password": "correct horse 9"})
    assert made["Location"] == "/chat/"
    assert guest.get("/chat/").status_code == 200
    user = User.objects.get(email="new@example.org")
    assert (user.name, list(user.groups.all())) == ("Nia", [pupils])
    assert late.post("/accounts/invitation/", {"password": "correct horse 9"}).status_code == 404
    assert Client().get(link).status_code == 404
    assert "@" not in recorded_actions().get().detail


def test_without_a_mail_server_the_link_is_shown_once(admin_browser: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND = "chat.accounts.mail.FileBackend"
    link = link_in(invite(admin_browser, "new@example.org"))
    assert "/accounts/invitation/" not in text_of(admin_browser, "/review/invitations/")
    assert Client().get(link).status_code == 302


def test_an_invitation_ends_when_expired_replaced_or_withdrawn(
    admin_browser: Client, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "chat.accounts.mail.FileBackend"
    first = link_in(invite(admin_browser, "new@example.org"))
    second = link_in(invite(admin_browser, "NEW@example.org"))
    assert Client().get(first).status_code == 404
    invitation = Invitation.objects.get()
    expires_at = invitation.expires_at
    Invitation.objects.update(expires_at=invitation.created_at)
    assert Client().get(second).status_code == 404
    Invitation.objects.update(expires_at=expires_at)
    assert Client().get(second).status_code == 302
    settings.SIGN_UP = "closed"
    assert Client().get(second).status_code == 404
    settings.SIGN_UP = "open"
    admin_browser.post(f"/review/invitations/{invitation.pk}/withdrawal/")
    assert Client().get(second).status_code == 404
    assert Client().get("/accounts/invitation/guess.guess/").status_code == 404


def test_a_file_of_invitations_reports_the_result_for_each_person(
    admin_browser: Client, alice: User, pupils: Group
) -> None:
    lines = "email,group\nn1@example.org,Pupils\nnobody\nalice@example.org\nn2@example.org,Choir\nn3@example.org"
    file = SimpleUploadedFile("people.csv", b"\xef\xbb\xbf" + lines.encode(), "text/csv")
    shown = invite(admin_browser, "", file=file, group=pupils.pk)
    assert "This isn't a valid email address." in unescape(shown)
    assert "An account with this email address already exists." in shown
    assert "There's no group named “Choir”." in unescape(shown)
    found = dict(Invitation.objects.values_list("email", "group"))
    assert found == {"n1@example.org": pupils.pk, "n3@example.org": pupils.pk}


@pytest.mark.parametrize(
    ("people", "words"),
    [
        ("", "Enter at least one email address."),
        (
            "\n".join(f"p{n}@example.org" for n in range(501)),
            "501 addresses. The limit is 500 at once",
        ),
    ],
)
def test_too_few_or_too_many_people_are_refused_with_a_message(
    admin_browser: Client, people: str, words: str
) -> None:
    assert words in invite(admin_browser, people)
    assert not Invitation.objects.exists()


def test_a_binary_file_is_refused_with_a_message(admin_browser: Client) -> None:
    file = SimpleUploadedFile("people.csv", b"\xff\xfe\x00", "text/csv")
    assert "isn't UTF-8 text" in unescape(invite(admin_browser, "", file=file))


def test_only_lines_with_a_problem_are_left_to_correct(admin_browser: Client, alice: User) -> None:
    people = "new@example.org\nnot-an-address\nalice@example.org\nmia@example.org, nobodies"
    shown = invite(admin_browser, people)
    left = shown[shown.index("<textarea") : shown.index("</textarea>")].split("\n")[1:]
    assert left == ["not-an-address", "alice@example.org", "mia@example.org, nobodies"]
    assert f'value="{WHY}"' in shown
    assert WHY not in invite(admin_browser, "other@example.org")


def test_links_are_explained_only_where_there_are_some(
    admin_browser: Client, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "chat.accounts.mail.FileBackend"
    explanation = "Send these links yourself."
    assert explanation in invite(admin_browser, "new@example.org")
    assert explanation not in invite(admin_browser, "not-an-address")
