"""Administrators look after accounts: each act holds at once, is on record, and locks nobody out."""

import csv
import io
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.accounts.models import Invitation, User
from chat.accounts.sessions.session_store import UserSession
from chat.quotas.models import Limit
from chat.review.access_log.staff_actions import StaffAction
from chat.review.members import member_list
from chat.review.models import ReviewScope
from tests.review.conftest import give, recorded_actions
from tests.support.people import client_of, text_of

Kind = StaffAction.Kind


@pytest.fixture
def adams(administrator: User) -> Client:
    return client_of(administrator)


def kinds() -> list[str]:
    return list(recorded_actions().order_by("id").values_list("kind", flat=True))


# --- The list -------------------------------------------------------------------------------------


def test_people_are_found_by_the_beginning_of_a_name_or_address(
    adams: Client, alice: User, bob: User
) -> None:
    for text in ("ali", "ALICE@", "Alice"):
        shown = text_of(adams, "/review/people/", q=text)
        assert "alice@example.org" in shown
        assert "bob@example.org" not in shown
    assert "No people match." in text_of(adams, "/review/people/", q="zz")


def test_pages_follow_each_other_without_gap_or_repeat(
    adams: Client, monkeypatch: pytest.MonkeyPatch
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


def test_the_list_comes_as_csv_without_formulas(adams: Client, alice: User, pupils: Group) -> None:
    User.objects.filter(pk=alice.pk).update(name="=1+1")
    adams.post("/review/reason/", {"reason": "The yearly report is due"})
    sent = adams.get("/review/people.csv", {"group": pupils.pk})
    (row,) = csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig")))
    assert (row["email"], row["name"], row["groups"]) == ("alice@example.org", "'=1+1", "Pupils")
    assert adams.get("/review/people.csv", {"state": "waitng"}).status_code == 400


def test_names_are_only_read(adams: Client, alice: User) -> None:
    attack = "<script>alert(1)</script>"
    User.objects.filter(pk=alice.pk).update(name=attack)
    group = Group.objects.create(name=f"{attack} group")
    alice.groups.add(group)
    for path in (
        "/review/people/", f"/review/people/{alice.pk}/account/", "/review/groups/",
        f"/review/groups/{group.pk}/", f"/review/quotas/group/{group.pk}/", "/review/invitations/",
        f"/review/quotas/person/{alice.pk}/", "/review/analytics/",
    ):  # fmt: skip
        assert attack not in text_of(adams, path), path


# --- Signing up -----------------------------------------------------------------------------------

NEW = {"email": "new@example.org", "password1": "correct horse 9", "password2": "correct horse 9"}


def test_who_signs_up_waits_where_the_staff_lets_people_in(adams: Client, settings: Any) -> None:
    settings.SIGN_UP = "approval"
    stranger = Client()
    answer = stranger.post("/accounts/signup/", NEW, follow=True)
    assert "awaiting approval" in answer.content.decode()
    assert stranger.get("/chat/").status_code == 302
    user = User.objects.get(email="new@example.org")
    assert "1 account is awaiting approval." in text_of(adams, "/review/people/")
    assert adams.post(f"/review/people/{user.pk}/approval/").status_code == 302
    assert mail.outbox[-1].to == ["new@example.org"]
    signed_in = stranger.post(
        "/accounts/login/", {"login": NEW["email"], "password": NEW["password1"]}, follow=True
    )
    assert signed_in.redirect_chain[-1][0] == "/chat/"
    assert kinds() == [Kind.APPROVED]
    assert adams.post(f"/review/people/{user.pk}/refusal/").status_code == 400


def test_who_is_refused_is_gone(adams: Client, settings: Any) -> None:
    settings.SIGN_UP = "approval"
    Client().post("/accounts/signup/", NEW)
    user = User.objects.get(email="new@example.org")
    assert adams.post(f"/review/people/{user.pk}/refusal/").status_code == 302
    assert not User.objects.filter(pk=user.pk).exists()
    assert recorded_actions().get().person == user.pk


@pytest.mark.parametrize("way", ["invitation", "closed"])
def test_nobody_signs_up_without_being_asked(
    way: str, settings: Any, transactional_db: None
) -> None:
    settings.SIGN_UP = way
    Client().post("/accounts/signup/", NEW)
    assert not User.objects.exists()


# --- Invitations ----------------------------------------------------------------------------------


def invite(adams: Client, people: str, **more: Any) -> str:
    response = adams.post("/review/invitations/", {"people": people, **more})
    return str(response.content.decode())


def link_in(text: str) -> str:
    begin = text.index("/accounts/invitation/")
    return text[begin:].split('"')[0].split()[0]


@pytest.mark.parametrize("way", ["open", "invitation"])
def test_an_invitation_makes_one_account_once(
    adams: Client, pupils: Group, settings: Any, way: str
) -> None:
    settings.SIGN_UP = way
    shown = invite(adams, "new@example.org,pupils")
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


def test_without_a_mail_server_the_link_is_shown_once(adams: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND = "chat.accounts.mail.FileBackend"
    link = link_in(invite(adams, "new@example.org"))
    assert "/accounts/invitation/" not in text_of(adams, "/review/invitations/")
    assert Client().get(link).status_code == 302


def test_an_invitation_ends_with_its_days_with_another_one_and_when_it_is_withdrawn(
    adams: Client, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "chat.accounts.mail.FileBackend"
    first = link_in(invite(adams, "new@example.org"))
    second = link_in(invite(adams, "NEW@example.org"))
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
    adams.post(f"/review/invitations/{invitation.pk}/withdrawal/")
    assert Client().get(second).status_code == 404
    assert Client().get("/accounts/invitation/guess.guess/").status_code == 404


def test_many_are_invited_by_a_file_and_each_hears_what_became_of_it(
    adams: Client, alice: User, pupils: Group
) -> None:
    lines = "email,group\nn1@example.org,Pupils\nnobody\nalice@example.org\nn2@example.org,Choir\nn3@example.org"
    file = SimpleUploadedFile("people.csv", b"\xef\xbb\xbf" + lines.encode(), "text/csv")
    shown = invite(adams, "", file=file, group=pupils.pk)
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
def test_too_few_and_too_many_are_refused_in_words(adams: Client, people: str, words: str) -> None:
    assert words in invite(adams, people)
    assert not Invitation.objects.exists()


def test_a_file_that_is_no_text_is_refused_in_words(adams: Client) -> None:
    file = SimpleUploadedFile("people.csv", b"\xff\xfe\x00", "text/csv")
    assert "isn't UTF-8 text" in unescape(invite(adams, "", file=file))


# --- An account -----------------------------------------------------------------------------------


def test_all_sessions_of_somebody_end(adams: Client, alice: User, bob: User) -> None:
    alices, bobs = client_of(alice), client_of(bob)
    adams.post(f"/review/people/{alice.pk}/sessions/")
    assert alices.get("/chat/").status_code == 302
    assert bobs.get("/chat/").status_code == 200
    assert adams.get("/review/people/").status_code == 200
    assert UserSession.objects.count() == 2
    assert kinds() == [Kind.SESSIONS_ENDED]


def test_a_mail_for_a_new_password_is_sent(adams: Client, alice: User) -> None:
    adams.post(f"/review/people/{alice.pk}/reset/")
    assert mail.outbox[-1].to == ["alice@example.org"]
    assert "/accounts/password/reset/key/" in mail.outbox[-1].body
    assert kinds() == [Kind.RESET]


def test_a_second_factor_is_removed(adams: Client, alice: User) -> None:
    from allauth.mfa.models import Authenticator

    path = f"/review/people/{alice.pk}/second-factor/"
    assert adams.post(path).status_code == 400
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert adams.post(path).status_code == 302
    assert not Authenticator.objects.exists()
    assert recorded_actions().get().detail == "second factor"


def test_groups_of_somebody_are_set(adams: Client, alice: User, pupils: Group) -> None:
    choir = Group.objects.create(name="Choir")
    adams.post(f"/review/people/{alice.pk}/account/", {"groups": [choir.pk]})
    assert list(alice.groups.all()) == [choir]
    details = list(recorded_actions().order_by("id").values_list("person", "detail"))
    assert details == [(alice.pk, "− Pupils"), (alice.pk, "+ Choir")]


def test_a_superuser_is_changed_by_superusers_only(adams: Client) -> None:
    chief = User.objects.create_superuser("chief@example.org", "tide table")
    for act in ("sessions", "reset", "second-factor"):
        assert adams.post(f"/review/people/{chief.pk}/{act}/").status_code == 400
    assert adams.post(f"/review/people/{chief.pk}/account/", {}).status_code == 400
    assert (
        adams.post(f"/review/quotas/person/{chief.pk}/", {"member-tokens": "1"}).status_code == 400
    )
    assert kinds() == []


def staff_of(permission: str) -> Group:
    group = Group.objects.create(name=f"Staff: {permission}")
    group.permissions.add(Permission.objects.get(codename=permission))
    return group


def test_an_administrator_is_changed_by_superusers_only(
    adams: Client, administrator: User, alice: User
) -> None:
    staff = staff_of("administer_review")
    alice.groups.add(staff)
    path = f"/review/people/{alice.pk}/"
    assert adams.post(f"{path}account/", {}).status_code == 400
    assert adams.post(f"{path}sessions/").status_code == 400
    assert adams.post(f"/review/groups/{staff.pk}/deletion/").status_code == 400
    out = {"out": str(alice.pk)}
    assert adams.post(f"/review/groups/{staff.pk}/members/", out).status_code == 400
    assert kinds() == []
    words = "Only a superuser can change another administrator."
    shown = text_of(adams, f"{path}account/")
    assert words in shown
    assert f"{path}sessions/" not in shown
    own = f"/review/people/{administrator.pk}/"
    assert words not in text_of(adams, f"{own}account/")
    assert adams.post(f"{own}account/", {}).status_code == 302  # their own they may
    chief = User.objects.create_superuser("chief@example.org", "tide table")
    assert client_of(chief).post(f"{path}account/", {}).status_code == 302
    assert not alice.groups.exists()
    assert adams.post(f"/review/groups/{staff.pk}/deletion/").status_code == 302


@pytest.mark.parametrize("number", ["9" * 20, "-1", "1" * 400, "x"])
def test_numbers_that_no_row_has_are_refused_in_words(
    adams: Client, alice: User, pupils: Group, number: str
) -> None:
    for path, field in (
        (f"/review/people/{alice.pk}/account/", "groups"),
        (f"/review/groups/{pupils.pk}/access/", "personas"),
    ):
        assert adams.post(path, {field: [number]}).status_code == 422, path
    assert kinds() == []


def test_the_last_administrator_stays_one(alice: User, bob: User) -> None:
    staff = staff_of("administer_review")
    alice.groups.add(staff)
    alices = client_of(alice)
    path = f"/review/people/{alice.pk}/account/"
    assert alices.post(path, {}).status_code == 400
    assert alices.post(f"/review/groups/{staff.pk}/deletion/").status_code == 400
    out = {"out": str(alice.pk)}
    assert alices.post(f"/review/groups/{staff.pk}/members/", out).status_code == 400
    assert alice.groups.filter(pk=staff.pk).exists()
    assert kinds() == []  # what was taken back is not on record either
    bob.groups.add(staff)
    assert alices.post(path, {}).status_code == 302
    assert alices.get(path).status_code == 404


# --- Groups ---------------------------------------------------------------------------------------


def test_groups_are_made_renamed_filled_and_deleted(adams: Client, alice: User) -> None:
    path = adams.post("/review/groups/", {"name": "Class 7"})["Location"]
    assert adams.post("/review/groups/", {"name": "class 7"}).status_code == 422
    adams.post(path, {"name": "CLASS 7"})
    adams.post(path, {"name": "Class 8"})
    group = Group.objects.get(name="Class 8")
    assert adams.post(f"{path}members/", {"email": "ALICE@example.org"}).status_code == 302
    assert "alice@example.org" in text_of(adams, path)
    unknown = adams.post(f"{path}members/", {"email": "nobody@example.org"})
    assert unknown.status_code == 422
    assert 'value="nobody@example.org"' in unknown.content.decode()
    assert adams.post(f"{path}members/", {"out": str(alice.pk)}).status_code == 302
    assert not group.user_set.exists()
    assert adams.post(f"{path}deletion/").status_code == 302
    assert not Group.objects.filter(pk=group.pk).exists()
    assert kinds() == [Kind.GROUP_CHANGED] * 6


def test_who_reviews_a_group_is_set(adams: Client, rita: User, pupils: Group, alice: User) -> None:
    from chat.review.staff import roles

    staff = staff_of("review")
    rita.groups.add(staff)
    path = f"/review/groups/{pupils.pk}/"
    for _ in range(2):
        adams.post(f"{path}scopes/", {"team": staff.pk})
    scope = ReviewScope.objects.get()
    assert list(roles.require(User.objects.get(pk=rita.pk)).people) == [alice]
    assert adams.post(f"{path}scopes/", {"team": pupils.pk}).status_code == 422
    adams.post(f"{path}scopes/", {"end": str(scope.pk)})
    assert not ReviewScope.objects.exists()
    assert kinds() == [Kind.SCOPE_CHANGED] * 2


# --- Limits ---------------------------------------------------------------------------------------


def test_limits_are_those_of_the_admin(adams: Client, alice: User, pupils: Group) -> None:
    path = f"/review/quotas/group/{pupils.pk}/"
    sent = {"group-dollars": "12.50", "member-tokens": "1000", "member-requests": ""}
    assert adams.post(path, sent).status_code == 302
    rows = {(row.scope, row.measure): row.amount for row in Limit.objects.filter(group=pupils)}
    assert rows == {("group", "dollars"): 12.5, ("member", "tokens"): 1000}
    shown = text_of(adams, path)
    assert 'value="12.5"' in shown
    assert "Tokens today" in text_of(adams, f"/review/quotas/person/{alice.pk}/")
    Limit.objects.filter(measure="dollars").update(amount=3)  # in the admin, say
    assert 'value="3"' in text_of(adams, path)
    adams.post(path, {"group-dollars": "3"})
    assert Limit.objects.filter(group=pupils).count() == 1
    assert kinds() == [Kind.QUOTA_CHANGED] * 3


@pytest.mark.parametrize(
    "amount", ["-1", "x", "NaN", "1e99", "Infinity", "1,000", "1.000", "0.001"]
)
def test_an_amount_that_is_none_is_refused_and_kept(
    adams: Client, alice: User, amount: str
) -> None:
    path = f"/review/quotas/person/{alice.pk}/"
    refused = adams.post(path, {"member-tokens": amount})
    assert refused.status_code == 422
    assert f'value="{amount}"' in refused.content.decode()
    assert not Limit.objects.exists()


@pytest.mark.parametrize(
    "place", ["group/99999", "person/99999", "website/none", "all/else", "person/x", "what/1"]
)
def test_limits_of_nobody_are_not_there(adams: Client, place: str) -> None:
    assert adams.get(f"/review/quotas/{place}/").status_code == 404


def test_others_of_the_staff_have_no_administration(lead: User, reviewer: User) -> None:
    give(lead, "review")
    for who in (lead, reviewer):
        client = client_of(who)
        for path in ("people/", "people.csv", "groups/", "invitations/", "quotas/all/site/"):
            assert client.get(f"/review/{path}").status_code == 404
        assert "/review/people/" not in client.get("/settings/").content.decode()
