"""Who owns an address that looks like another person's has no right to what is theirs.

On PostgreSQL, `ı` and `ſ` have the upper case of `i` and `s`, and domains with them can be bought.
"""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError

from chat.accounts import confirmed_addresses
from chat.accounts.models import User
from chat.accounts.sign_up import invitations
from tests.support.servers.server import ROOT

pytestmark = pytest.mark.django_db

BOB = "bob@mist.example"
SIMILAR = ["bob@m\u0131st.example", "bob@mi\u017ft.example"]
QUERY = re.compile(r"email\w*__i(exact|contains|startswith)\b")
#: The search for people, which finds by parts of names and addresses, and gives nobody a right.
SEARCHES = {"chat/review/staff/people_search.py"}


def member(email: str) -> User:
    user = User.objects.create_user(email, "battery staple")
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


@pytest.mark.parametrize("similar", SIMILAR)
def test_a_confirmed_address_is_that_of_its_owner_only(similar: str) -> None:
    member(similar)
    assert confirmed_addresses.owner_of(BOB) is None
    bob = member(BOB)
    assert confirmed_addresses.owner_of(BOB) == bob
    assert confirmed_addresses.owner_of("Bob@Mist.example") == bob


@pytest.mark.parametrize("similar", SIMILAR)
def test_both_sign_in_with_their_own_addresses(similar: str) -> None:
    mallory, bob = member(similar), member(BOB)
    assert User.objects.get_by_natural_key("Bob@mist.example") == bob
    assert authenticate(None, email=BOB, password="battery staple") == bob
    assert User.objects.get_by_natural_key(similar) == mallory


@pytest.mark.parametrize(
    "address", ["\xc4nna@example.org", "\u03a3\u0391\u03a3@example.org", "\u0130z@example.org"]
)
def test_members_sign_in_with_the_address_as_it_is_stored(address: str) -> None:
    anna = User.objects.create_user(address, "battery staple")
    assert User.objects.get_by_natural_key(address) == anna
    assert User.objects.get_by_natural_key(address.replace("example", "EXAMPLE")) == anna


@pytest.mark.parametrize("similar", SIMILAR)
def test_a_similar_address_prevents_no_invitation(similar: str) -> None:
    member(similar)
    _invitation, token = invitations.invite(BOB)
    invitations.invite(f"new-{similar}")
    assert invitations.accept(token, "Bob", "battery staple") == User.objects.get(email=BOB)
    with pytest.raises(ValidationError):
        invitations.invite("BOB@mist.example")


def test_no_query_compares_addresses_as_postgresql_folds_them() -> None:
    modules = {each: each.read_text() for each in (ROOT / "chat").rglob("*.py")}
    found = {str(each.relative_to(ROOT)) for each, code in modules.items() if QUERY.search(code)}
    assert found <= SEARCHES
