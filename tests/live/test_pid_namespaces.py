"""Processes in different PID namespaces, as containers are, do not take each other for dead.

Needs the right to make a PID namespace, so root or a user namespace; elsewhere it is skipped.
"""

import signal
import subprocess
import uuid
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import Server, signed_up

UNSHARE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
ANSWERS = """
from chat.generations.models import Generation
for each in Generation.objects.order_by("started_at"):
    print(each.state, len(each.message.text))
"""
#: Answers that take longer than it takes to look for dead processes twice.
SETTINGS = {"EMULATOR_TOKENS_PER_SECOND": "100", "MAX_TOKENS": "700"}


def can_unshare() -> bool:
    try:
        return not subprocess.run([*UNSHARE, "true"], capture_output=True).returncode
    except FileNotFoundError:
        return False


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not can_unshare(), reason="this user may not make a PID namespace"),
]


def begin(client: httpx.Client, server: Server, stack: ExitStack) -> httpx.Response:
    headers = {**SAME_ORIGIN, "X-CSRFToken": client.cookies["csrftoken"]}
    body = {"key": uuid.uuid4().hex, "text": "Tell me a long story"}
    url = f"{server.url}/chat/messages"
    return stack.enter_context(client.stream("POST", url, json=body, headers=headers))


def test_answers_of_two_containers_with_one_host_name_are_stored_whole(tmp_path: Path) -> None:
    with ExitStack() as stack:
        here, contained = (Server(tmp_path, **SETTINGS) for _ in range(2))
        contained.prefix = UNSHARE
        here.prepare()
        stack.callback(here.end)
        stack.callback(contained.end, signal.SIGKILL)  # unshare ignores SIGTERM
        for server in (here, contained):
            server.start()
        client = signed_up(here)
        stack.callback(client.close)
        streams = [begin(client, server, stack) for server in (here, contained)]
        read = [stream.read().decode() for stream in streams]
        assert all("data: [DONE]" in each for each in read)
        ends = here.run(ANSWERS).splitlines()
        assert all("considered dead" not in each.log.read_text() for each in (here, contained))
    assert [end.split()[0] for end in ends] == ["complete", "complete"]
    assert all(int(end.split()[1]) > 500 for end in ends)
