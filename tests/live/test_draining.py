"""SIGTERM lets what runs come to its end."""

import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.server import Server, running, signed_up

#: Enough on a busy machine; without draining, all of it would be over at once.


@contextmanager
def member_at(**settings: str) -> Iterator[OnlineMember]:
    with running(EMULATOR_TOKENS_PER_SECOND="60", **settings) as server:
        with closing(signed_up(server)) as client:
            yield OnlineMember(server, client)


def until_draining(member: OnlineMember) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (facts := member.get("/readyz")).json()["draining"]:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert facts.status_code == 503


def until_refusing(member: OnlineMember) -> None:
    until_draining(member)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while "draining:" not in log_of(member.server):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def log_of(server: Server) -> str:
    return server.log.read_text(errors="replace")


def test_answers_are_written_and_read_to_their_end_and_nothing_new_begins() -> None:
    with member_at(DRAIN_SECONDS="60") as member:
        with Reading(member, "one", "Hello") as stored, Reading(member, "", "Hello") as temporary:
            member.server.send(signal.SIGTERM)
            until_refusing(member)
            refused = member.send("two")
            error = refused.json()["error"]
            assert (refused.status_code, error["code"]) == (503, "shutting_down")
            assert error["retryable"]
            assert int(refused.headers["Retry-After"]) > 0
            assert member.get("/chat/").status_code == 200
        assert member.server.wait(PATIENCE_SECONDS) is not None
        for each in (stored, temporary):
            assert each.stream.done
            assert each.stream.key("state") == "complete"
        assert "Traceback" not in log_of(member.server)
        assert member.server.exit_code in {0, -signal.SIGTERM}


def test_load_balancers_are_told_before_anything_is_refused() -> None:
    with member_at(DRAIN_SECONDS="60") as member:
        with Reading(member, "one", "/slow") as reading:
            assert member.get("/readyz").status_code == 200
            member.server.send(signal.SIGTERM)
            until_draining(member)
            with Reading(member, "two", "Hello"):  # at once, as a balancer that did not know yet
                pass
            until_refusing(member)
            assert member.send("three").status_code == 503
            member.stop(reading.generation_id)


@pytest.mark.long
def test_a_second_signal_interrupts_at_once() -> None:
    with member_at(DRAIN_SECONDS="3600") as member:
        with Reading(member, "one", "/slow") as reading:
            member.server.send(signal.SIGTERM)
            until_draining(member)
            member.server.send(signal.SIGTERM)
        assert member.server.wait(PATIENCE_SECONDS) is not None
        assert not reading.stream.done
        assert "Traceback" not in log_of(member.server)


@pytest.mark.long
def test_answers_that_take_too_long_are_interrupted() -> None:
    with member_at(DRAIN_SECONDS="1") as member:
        with Reading(member, "one", "/slow") as reading:
            member.server.send(signal.SIGTERM)
        assert member.server.wait(PATIENCE_SECONDS) is not None
        assert not reading.stream.done
        state = member.server.run(
            "from chat.generations.models import Generation\nprint(Generation.objects.get().state)"
        )
        assert state == "interrupted"
