"""`manage.py serve` keeps real workers running, restarts them without losses, and ends them."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.servers.online_member import OnlineMember, Reading
from tests.support.servers.served_site import (
    Balancer,
    ServedSite,
    restart_while_sending,
    serving,
    wait_until,
)
from tests.support.servers.server import START_SECONDS, signed_up

pytestmark = pytest.mark.xdist_group("serving")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Settings of all sites here. They share the static files, which take seconds to collect."""
    return {"STATIC_DIR": str(tmp_path_factory.mktemp("static"))}


@contextmanager
def member_of(site: ServedSite) -> Iterator[OnlineMember]:
    """Yield a member behind a proxy that knows all workers."""
    with closing(signed_up(site)) as signed_in:
        with httpx.Client(
            base_url=site.url,
            cookies=signed_in.cookies,
            transport=Balancer(site.ports),
            timeout=START_SECONDS,
        ) as client:
            yield OnlineMember(site, client)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.long
def test_each_worker_has_its_port_and_comes_back_after_its_death(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    with serving(tmp_path, workers=2, **settings) as site:
        assert [site.status(port) for port in site.ports] == [200, 200]
        first, second = site.worker_pids()
        os.kill(second, signal.SIGKILL)
        site.until_logged("died (SIGKILL); starting it again")
        wait_until(lambda: site.status(site.ports[1]) == 200, site.text)
        assert site.status(site.ports[0]) == 200
        assert len(site.worker_pids()) == 3
        assert not is_gone(first)
        site.send(signal.SIGTERM)
        assert site.wait(START_SECONDS) is not None
        assert site.exit_code == 0
        assert all(map(is_gone, site.worker_pids()))


@pytest.mark.long
def test_sigterm_lets_a_running_answer_end_and_a_second_one_does_not(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    pace = {"EMULATOR_TOKENS_PER_SECOND": "60", "DRAIN_SECONDS": "3600"}
    with serving(tmp_path, **pace, **settings) as site, member_of(site) as member:
        with Reading(member, "one", "Hello") as reading:
            site.send(signal.SIGTERM)
        assert reading.stream.done
        assert site.wait(START_SECONDS) is not None
        site.start()
        with Reading(member, "two", "/slow") as reading:
            site.send(signal.SIGTERM)
            site.until_logged("draining:", times=2)
            site.send(signal.SIGTERM)
        assert not reading.stream.done
        assert site.wait(START_SECONDS) is not None
        assert "killing" not in site.text()
        assert "Traceback" not in site.text()


@pytest.mark.long
def test_sighup_restarts_one_worker_after_another_and_loses_nothing(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    pace = {"EMULATOR_TOKENS_PER_SECOND": "100", "DRAIN_SECONDS": "120"}
    with serving(tmp_path, workers=2, **pace, **settings) as site, member_of(site) as member:
        restart_while_sending(site, member)
        assert len(site.worker_pids()) == 4
        assert all(map(is_gone, site.worker_pids()[:2]))


@pytest.mark.long
def test_sighup_leaves_the_workers_alone_if_the_preparation_fails(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    with serving(tmp_path, **settings) as site:
        (tmp_path / "secret_key").chmod(0o644)
        site.send(signal.SIGHUP)
        site.until_logged("the preparation failed")
        assert "chmod 600" in site.text()
        assert site.status(site.port) == 200
        assert len(site.worker_pids()) == 1


@pytest.mark.long
def test_workers_end_when_the_supervisor_is_killed(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    with serving(tmp_path, workers=2, **settings) as site:
        site.send(signal.SIGKILL)
        site.wait(START_SECONDS)
        wait_until(lambda: all(map(is_gone, site.worker_pids())))


@pytest.mark.long
def test_workers_listen_on_sockets_if_asked(tmp_path: Path, settings: dict[str, str]) -> None:
    sockets = tmp_path / "s"
    sockets.mkdir()
    with serving(tmp_path, workers=2, SOCKET_DIR=str(sockets), **settings) as site:
        assert sorted(each.name for each in sockets.iterdir()) == ["worker-1.sock", "worker-2.sock"]
        for path in sockets.iterdir():
            transport = httpx.HTTPTransport(uds=str(path))
            with httpx.Client(transport=transport, base_url="http://localhost") as client:
                assert client.get("/readyz").status_code == 200
        assert [site.status(port) for port in site.ports] == [0, 0]
        os.kill(site.worker_pids()[0], signal.SIGKILL)  # it leaves its socket behind
        site.until_logged("started worker 1", times=2)
