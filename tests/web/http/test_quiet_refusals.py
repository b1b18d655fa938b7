"""What the site refuses on purpose isn't logged as an error of its own."""

import logging

import pytest
from django.core.exceptions import DisallowedHost
from django.test import AsyncClient
from pytest_django import Settings

from project.logs import Discretion
from tests.support.generations.send import send


async def test_a_refusal_during_an_outage_is_no_error(
    alice_client: AsyncClient, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.MIN_FREE_BYTES = 2**62
    assert (await send(alice_client, text="Hello")).status_code == 503
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
    (line,) = (each for each in caplog.records if each.name == "runnel.requests")
    assert line.__dict__["fields"]["error"] == "database_unavailable"


def test_an_unknown_host_is_a_warning() -> None:
    raised = (DisallowedHost, DisallowedHost("Invalid header: 'x'"), None)
    record = logging.LogRecord(
        "django.security.DisallowedHost", logging.ERROR, "", 0, "Invalid header: 'x'", (), raised
    )
    assert Discretion().filter(record)
    assert (record.levelname, record.getMessage()) == ("WARNING", "DisallowedHost")
