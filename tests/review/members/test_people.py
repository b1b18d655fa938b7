"""The list of people, and account actions of administrators."""

import csv
import io

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.test import Client

from chat.accounts.models import User
from chat.accounts.sessions.session_store import UserSession
from chat.review.members import member_list
from tests.review.conftest import recorded_actions
from tests.support.review.member_actions import Kind, kinds
from tests.support.review.member_pages import client_of, text_of


def test_people_are_found_by_the_start_of_a_name_or_address(
    admin_browser: Client, alice: User, bob: User
) -> None:
    for text in ("ali", "ALICE@", "Alice"):
        shown = text_of(admin_browser, "/review/people/", q=text)
        assert "alice@example.org" in shown
        assert "bob@example.org" not in shown
    assert "No people match." in text_of(admin_browser, "/review/people/", q="zz")


def test_pages_neither_skip_nor_repeat_people(
    admin_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(member_list, "PER_PAGE", 3)
    for number in range(7):
        User.objects.create_user(f"p{number}@example.org")
    found, after = [], ""
    while True:
        rows, after = member_list.page(member_list.MemberFacets(), after)
        found += [each.user.email for each in rows]
        if not after:
            break
    assert found == sorted(User.objects.values_list("email", flat=True))


def test_the_list_is_exported_as_csv_without_formulas(
    admin_browser: Client, alice: User, pupils: Group
) -> None:
    User.objects.filter(pk=alice.pk).update(name="=1+1")
    admin_browser.post("/review/reason/", {"reason": "The yearly report is due"})
    sent = admin_browser.get("/review/people.csv", {"group": pupils.pk})
    (row,) = csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig")))
    assert (row["email"], row["name"], row["groups"]) == ("alice@example.org", "'=1+1", "Pupils")
    assert admin_browser.get("/review/people.csv", {"state": "waitng"}).status_code == 400


def test_hostile_names_are_shown_as_text(admin_browser: Client, alice: User) -> None:
    attack = "<script>alert(1)</script>"
    User.objects.filter(pk=alice.pk).update(name=attack)
    group = Group.objects.create(name=f"{attack} group")
    alice.groups.add(group)
    for path in (
        "/review/people/", f"/review/people/{alice.pk}/account/", "/review/groups/",
        f"/review/groups/{group.pk}/", f"/review/quotas/group/{group.pk}/", "/review/invitations/",
        f"/review/quotas/person/{alice.pk}/", "/review/analytics/",
    ):  # fmt: skip
        assert attack not in text_of(admin_browser, path), path


def test_all_sessions_of_a_member_are_ended(admin_browser: Client, alice: User, bob: User) -> None:
    alice_client, bob_client = client_of(alice), client_of(bob)
    admin_browser.post(f"/review/people/{alice.pk}/sessions/")
    assert alice_client.get("/chat/").status_code == 302
    assert bob_client.get("/chat/").status_code == 200
    assert admin_browser.get("/review/people/").status_code == 200
    assert UserSession.objects.count() == 2
    assert kinds() == [Kind.SESSIONS_ENDED]


def test_a_password_reset_is_mailed(admin_browser: Client, alice: User) -> None:
    admin_browser.post(f"/review/people/{alice.pk}/password-reset/")
    assert mail.outbox[-1].to == ["alice@example.org"]
    assert "/accounts/password/reset/key/" in mail.outbox[-1].body
    assert kinds() == [Kind.RESET]


def test_a_second_factor_is_removed(admin_browser: Client, alice: User) -> None:
    from allauth.mfa.models import Authenticator

    path = f"/review/people/{alice.pk}/second-factor/"
    assert admin_browser.post(path).status_code == 400
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert admin_browser.post(path).status_code == 302
    assert not Authenticator.objects.exists()
    assert recorded_actions().get().detail == "second factor"
