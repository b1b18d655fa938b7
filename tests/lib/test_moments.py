"""Times from outside are read in UTC, or refused if no database could store them."""

from datetime import UTC, datetime

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from chat.lib.moments import moment_in
from chat.web.http.form_fields import MomentField

REFUSED = [
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00",
    "0001-01-01T00:00",
    "9999-12-31T23:59",
    "2026-02-30T00:00",
    "x",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_stored_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (the words are for nobody)
        moment_in(text)
    for zone in ("UTC", "Pacific/Kiritimati", "America/Los_Angeles"):
        with timezone.override(zone), pytest.raises(ValidationError):
            MomentField().clean(text)


def test_times_are_read_in_utc() -> None:
    noon = datetime(2026, 11, 28, 12, 0, 0, 5, UTC)
    assert moment_in("2026-11-28T14:00:00.000005+02:00") == noon
    assert moment_in("2026-11-28T12:00:00.000005") == noon
    assert MomentField().clean("2026-11-28T14:00:00.000005+02:00") == noon
