"""Preferences of a member that several requests change at the same time."""

from dataclasses import replace

import pytest
from django.db import transaction

from chat.accounts.closure import close_account
from chat.accounts.memories import remember
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.evaluation import consent


def loaded(user: User) -> User:
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("is_given", [True, False])
def test_a_request_that_began_earlier_does_not_change_the_consent(
    alice: User, is_given: bool
) -> None:
    consent.set_consent(alice, is_given=not is_given)
    earlier = loaded(alice)
    consent.set_consent(alice, is_given=is_given)
    replace(Preferences.of(earlier), theme="dark").save(earlier)
    stored = Preferences.of(loaded(alice))
    assert (stored.theme, stored.allows_evaluation) == ("dark", is_given)
    assert Preferences.of(earlier) == stored


def test_what_a_chat_remembers_meanwhile_stays(alice: User) -> None:
    earlier = loaded(alice)
    remember(alice.pk, "She has a boat")
    replace(Preferences.of(earlier), theme="dark").save(earlier)
    assert Preferences.of(loaded(alice)).memories == "She has a boat"


def test_what_a_newer_version_has_stored_stays(alice: User) -> None:
    alice.preferences = {"theme": "light", "of_tomorrow": "yes"}
    alice.save()
    replace(Preferences.of(alice), theme="dark").save(alice)
    assert loaded(alice).preferences["of_tomorrow"] == "yes"
    assert Preferences.of(loaded(alice)).theme == "dark"


def test_the_choices_of_a_closed_account_dont_come_back(alice: User) -> None:
    replace(Preferences.of(alice), instructions="I live in Bergen").save(alice)
    one_tab = User.objects.get(pk=alice.pk)
    with transaction.atomic():
        close_account(User.objects.get(pk=alice.pk))
    replace(Preferences.of(one_tab), theme="dark").save(one_tab)
    assert User.all_objects.get(pk=alice.pk).preferences == {}
