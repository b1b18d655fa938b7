"""After the clock was set, it isn't steady for an hour."""

import logging
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from chat.lib import steady_clock
from chat.lib.steady_clock import ClockRecord
from tests.support.set_clock import HOUR, SetClock


@pytest.mark.parametrize("jump", [90 * 24 * HOUR, -2 * HOUR])
def test_after_a_jump_it_is_not_steady_for_an_hour(
    jump: float, caplog: pytest.LogCaptureFixture
) -> None:
    clock = SetClock()
    assert clock.is_steady_after(10)
    clock.offset += jump
    with caplog.at_level(logging.ERROR):
        assert not clock.is_steady_after(10)
        assert not clock.is_steady_after(HOUR - 20)
    assert len(caplog.records) == 1
    assert clock.is_steady_after(30)


def test_a_clock_that_is_put_right_waits_again() -> None:
    clock = SetClock()
    clock.offset += 400 * 24 * HOUR
    assert not clock.is_steady_after(60)
    clock.offset -= 400 * 24 * HOUR
    assert not clock.is_steady_after(HOUR - 30)
    assert clock.is_steady_after(HOUR)


def test_time_that_passes_and_small_corrections_are_no_jump() -> None:
    clock = SetClock()
    assert clock.is_steady_after(400 * 24 * HOUR)  # the machine was suspended
    clock.offset += 60
    assert clock.is_steady_after(1)


@pytest.fixture
def kept(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Return a clock whose processes share what they know."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(steady_clock, "BOOT_ID", tmp_path / "boot_id")
    steady_clock.BOOT_ID.write_text("first\n")
    return SetClock(ClockRecord())


def test_a_process_that_starts_at_the_wrong_time_waits_as_well(kept: SetClock) -> None:
    assert kept.is_steady_after(10)
    kept.offset += 400 * 24 * HOUR
    kept.start_process()
    assert not kept.is_steady_after(10)
    kept.start_process()  # the hour doesn't begin again
    assert not kept.is_steady_after(HOUR - 20)
    assert kept.is_steady_after(30)
    kept.start_process()
    assert kept.is_steady_after(10)


def test_after_a_start_of_the_machine_its_clock_is_believed(kept: SetClock) -> None:
    assert kept.is_steady_after(10)
    steady_clock.BOOT_ID.write_text("second\n")
    kept.elapsed, kept.offset = 1.0, kept.offset + 400 * 24 * HOUR
    kept.start_process()
    assert kept.is_steady_after(10)


@pytest.mark.parametrize("text", ["", "first 1 2 3", "first x -", "first 1"])
def test_a_record_that_is_damaged_is_written_anew(text: str, kept: SetClock) -> None:
    path = Path(steady_clock.settings.DATA_DIR) / "clock"
    path.write_text(text)
    assert kept.is_steady_after(10)
    kept.offset += 400 * 24 * HOUR
    kept.start_process()
    assert not kept.is_steady_after(10)
    assert path.stat().st_mode & 0o077 == 0


def test_without_room_for_a_record_a_process_goes_by_itself(kept: SetClock, settings: Any) -> None:
    settings.DATA_DIR = Path("/nowhere")
    assert kept.is_steady_after(10)
    kept.offset += 400 * 24 * HOUR
    assert not kept.is_steady_after(10)


@pytest.mark.django_db
def test_prune_deletes_nothing_after_a_jump(
    kept: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept.is_steady_after(10)
    kept.offset += 400 * 24 * HOUR
    kept.start_process()
    monkeypatch.setattr(steady_clock, "system_clock", kept.steady)
    with pytest.raises(CommandError, match="The clock was set"):
        call_command("prune", verbosity=0)
