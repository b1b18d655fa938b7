"""A member's choices are stored one by one: none is lost because of another."""

from dataclasses import replace

import pytest
from django.db import transaction

from chat.accounts.closure import close_account
from chat.accounts.memories import remember
from chat.accounts.models import User
from chat.accounts.preferences import Preferences
from chat.evaluation.consent import has_consented, set_consent

pytestmark = pytest.mark.django_db


def stored(user: User) -> Preferences:
    return Preferences.of(User.all_objects.get(pk=user.pk))


def test_what_others_have_stored_since_it_was_loaded_stays(alice: User) -> None:
    set_consent(alice, is_given=True)
    one_tab = User.objects.get(pk=alice.pk)
    set_consent(User.objects.get(pk=alice.pk), is_given=False)
    remember(alice.pk, "Ada has a dog")
    replace(Preferences.of(one_tab), theme="dark").save(one_tab)
    assert not has_consented(User.objects.get(pk=alice.pk))
    assert (stored(alice).theme, stored(alice).memories) == ("dark", "Ada has a dog")
    assert Preferences.of(one_tab) == stored(alice)


def test_the_choices_of_a_closed_account_dont_come_back(alice: User) -> None:
    replace(Preferences.of(alice), instructions="I live in Bergen").save(alice)
    one_tab = User.objects.get(pk=alice.pk)
    with transaction.atomic():
        close_account(User.objects.get(pk=alice.pk))
    replace(Preferences.of(one_tab), theme="dark").save(one_tab)
    assert User.all_objects.get(pk=alice.pk).preferences == {}
