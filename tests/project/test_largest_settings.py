"""The largest values that settings accept work in all arithmetic with them."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from chat.accounts.models import User
from chat.conversations import legal_hold
from chat.conversations.models import Conversation
from project.config import databases
from project.config.env import MAXIMA
from tests.support.servers.settings_process import check, read

UNITS = {"DAYS": 24 * 60 * 60, "HOURS": 60 * 60, "MINUTES": 60, "SECONDS": 1}
ONLY_IN_HEADERS = {"HSTS_SECONDS", "AI_GATEWAY_CACHE_SECONDS"}
DURATIONS = sorted(
    name for name in MAXIMA if name.rpartition("_")[2] in UNITS and name not in ONLY_IN_HEADERS
)
DURATIONS = [name for name in DURATIONS if "_PER_" not in name]


@pytest.fixture
def _largest(settings: Settings) -> None:
    for name in DURATIONS:
        if hasattr(settings, name):
            setattr(settings, name, MAXIMA[name])


@pytest.mark.parametrize("name", DURATIONS)
def test_a_time_that_long_before_or_after_now_exists(name: str) -> None:
    duration = timedelta(seconds=MAXIMA[name] * UNITS[name.rpartition("_")[2]])
    assert timezone.now() - duration < timezone.now() < timezone.now() + duration


def test_all_numbers_fit_the_database_and_a_script() -> None:
    assert max(MAXIMA.values()) <= 2**53


def test_postgresql_has_statement_timeouts_in_32_bits() -> None:
    assert (MAXIMA["DATABASE_STATEMENT_SECONDS"] + databases.SERVER_GRACE_SECONDS) * 1000 < 2**31


@pytest.mark.usefixtures("_largest")
def test_old_data_is_pruned_and_held_chats_are_kept(alice: User) -> None:
    chat = Conversation.objects.create(owner=alice, held_at=timezone.now())
    Conversation.objects.filter(pk=chat.pk).update(purge_after=timezone.now())
    call_command("prune", verbosity=0)
    chat = Conversation.all_objects.get(legal_hold.retained(), pk=chat.pk)
    latest = legal_hold.latest_purge_at(chat)
    assert latest
    assert latest.year > timezone.now().year + 99


def test_startup_accepts_all_of_them_together_and_nothing_larger(tmp_path: Path) -> None:
    largest = {name: str(most) for name, most in MAXIMA.items()}
    largest |= {"MAX_TOKENS": "1000000", "MAX_IMAGE_BYTES": largest["MAX_BODY_BYTES"]}
    done = check(tmp_path, **largest)
    assert done.returncode == 0, done.stderr
    for name in ("UNDO_SECONDS", "HOLD_MAX_DAYS", "LOG_KEEP_SECONDS", "MAX_MEMBER_BYTES"):
        refused = read(tmp_path, "DEBUG", **{name: str(MAXIMA[name] + 1)})
        assert f"{name} is {MAXIMA[name] + 1}; it must be between" in refused.stderr
    assert "must be between" in read(tmp_path, "DEBUG", UNDO_SECONDS="1e13").stderr
    assert "must be between" in read(tmp_path, "DEBUG", UNDO_SECONDS="nan").stderr
