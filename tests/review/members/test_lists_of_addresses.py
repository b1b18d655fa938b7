"""Lists of addresses are understood as mail programs and spreadsheets write them."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.test import Client

from chat.accounts.models import Invitation, User
from chat.web.review.members.forms import InviteForm
from tests.support.review.member_pages import WHY, client_of, text_of


def wanted(text: str) -> list[tuple[str, str]]:
    form = InviteForm({"people": text, "reason": WHY}, {})
    assert form.is_valid(), form.errors
    return [(each.email, str(each.group or each.problem)) for each in form.cleaned_data["wanted"]]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("Doe, Jane <jane@x.org>", ["jane@x.org"]),
        ('"Doe, Jane" <jane@x.org>; Bo <bo@x.org>', ["jane@x.org", "bo@x.org"]),
        ("a@x.org; b@x.org", ["a@x.org", "b@x.org"]),
        ("a@x.org, b@x.org, c@x.org", ["a@x.org", "b@x.org", "c@x.org"]),
        ("a@x.org\nA@X.org\na@x.org", ["a@x.org"]),
        ("Email\na@x.org", ["a@x.org"]),
    ],
)
def test_each_address_is_invited_once(
    transactional_db: None, text: str, addresses: list[str]
) -> None:
    assert [email for email, _rest in wanted(text)] == addresses


def test_a_group_after_an_address_still_counts(transactional_db: None) -> None:
    Group.objects.create(name="Pupils")
    assert wanted('a@x.org, Pupils\nb@x.org,"pupils"') == [
        ("a@x.org", "Pupils"), ("b@x.org", "Pupils"),
    ]  # fmt: skip
    assert "no group named" in wanted("a@x.org, Teachers")[0][1]


def test_several_members_are_added_to_a_group_with_one_reason(
    administrator: User, alice: User, bob: User
) -> None:
    for each in (alice, bob):
        EmailAddress.objects.create(user=each, email=each.email, verified=True)
    group = Group.objects.create(name="Choir")
    client: Client = client_of(administrator)
    sent = {"email": f"Alice <{alice.email}>, nobody@x.org\n{bob.email}"}
    shown = client.post(f"/review/groups/{group.pk}/members/", sent)
    assert shown.status_code == 422
    assert "No member has this email address" in shown.content.decode()
    assert ">nobody@x.org</textarea>" in shown.content.decode().replace("\n", "")
    assert set(group.user_set.all()) == {alice, bob}


def test_one_invitation_with_a_link_for_a_repeated_address(administrator: User) -> None:
    client: Client = client_of(administrator)
    shown = client.post("/review/invitations/", {"people": "z@x.org\nz@x.org"})
    assert shown.content.decode().count("/accounts/invitation/") <= 1
    assert Invitation.objects.count() == 1
    assert "z@x.org" in text_of(client, "/review/invitations/")
