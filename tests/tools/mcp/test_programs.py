"""MCP servers that are programs: only those of the environment, with nothing of it, and bounded."""

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import Raw
from pytest_django import Settings

from chat.tools.mcp import client, listing, program_channel, results
from chat.tools.mcp.client import Endpoint
from chat.tools.mcp.errors import McpError
from tests.support.wait_for import until

PYTHON = sys.executable
SDK = [PYTHON, "-m", "tests.support.servers.mcp_program", "--noise"]
ROOT = Path(__file__).parents[3]
FILES = Endpoint("program:files")
SECONDS = 60.0

#: Programs of a few lines, for what no server should do. `hello` answers the first request.
HELLO = """
import json, os, sys, time
def answer(result):
    number = json.loads(sys.stdin.readline())["id"]
    print(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}), flush=True)
answer({"protocolVersion": "2025-11-25"})
sys.stdin.readline()
"""


@pytest.fixture(autouse=True)
def programs(settings: Settings) -> None:
    path = f"PYTHONPATH={ROOT}"
    settings.TOOL_PROGRAMS = {"files": ["/usr/bin/env", path, *SDK]}


async def called(name: str, arguments: bytes = b"{}", seconds: float = SECONDS) -> str:
    async with client.session(FILES, seconds) as session:
        return results.text_of(await session.call(name, Raw(arguments)))


async def refusal(settings: Settings, code: str, seconds: float = SECONDS) -> str:
    """Return how a call fails to a program with this code."""
    settings.TOOL_PROGRAMS = {"files": [PYTHON, "-c", HELLO + code]}
    with pytest.raises(McpError) as error:
        await called("high_tide", seconds=seconds)
    return error.value.reason


@pytest.fixture
async def no_children() -> AsyncIterator[None]:
    yield
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    assert [each for each in children if "mcp_program" in _command(each)] == []


def _command(process: str) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def is_running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False


@pytest.mark.usefixtures("no_children")
async def test_a_program_of_the_sdk_lists_and_runs_its_tools() -> None:
    async with client.session(FILES, SECONDS) as session:
        found = await listing.read_all(session.tools())
        assert [each.name for each in found.tools][:2] == ["high_tide", "environment"]
        said = results.text_of(await session.call("high_tide", Raw(b'{"place": "Oslo"}')))
    assert "High tide at Oslo at 14:05. Call 1 of process" in said


async def test_each_session_has_a_process_of_its_own() -> None:
    first, second = (
        await called("high_tide", b'{"place": "A"}'),
        await called("high_tide", b'{"place": "A"}'),
    )
    assert "Call 1 of" in first
    assert "Call 1 of" in second
    assert first != second


async def test_a_program_gets_nothing_of_the_site_s_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SECRET_KEY", "very-secret")
    monkeypatch.setenv("CLOUDFLARE_API_TOKEN", "very-secret")
    async with client.session(FILES, SECONDS) as session:
        result = await session.call("environment", Raw(b"{}"))
    names = set(json.loads(bytes(result.structuredContent)))
    assert names - {"LC_CTYPE"} <= {*program_channel.ENVIRONMENT, "PYTHONPATH"}
    assert "very-secret" not in results.text_of(result)


async def test_a_name_that_the_environment_hasn_t_is_no_program(settings: Settings) -> None:
    for address in ("program:other", "program:", "program:/bin/sh"):
        with pytest.raises(McpError) as error:
            async with client.session(Endpoint(address), SECONDS):
                pass
        assert error.value.reason == "no_program"


async def test_no_shell_reads_the_command(settings: Settings, tmp_path: Path) -> None:
    made = tmp_path / "made"
    settings.TOOL_PROGRAMS = {"files": [f"true; touch {made}", f"$(touch {made})"]}
    with pytest.raises(McpError) as error:
        await called("high_tide")
    assert error.value.reason == "unreachable"
    assert not made.exists()


@pytest.mark.usefixtures("no_children")
async def test_a_program_that_takes_too_long_is_ended() -> None:
    with pytest.raises(McpError) as error:
        await called("sleep", seconds=8)
    assert error.value.reason == "timeout"


async def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    written = tmp_path / "child"
    await called("have_a_child", json.dumps({"path": str(written)}).encode())
    child = int(written.read_text())
    await until(lambda: not is_running(child))


async def test_memory_is_bounded() -> None:
    async with client.session(FILES, SECONDS) as session:
        result = await session.call("use_memory", Raw(b"{}"))
    assert result.isError


async def test_a_program_ends_with_the_process_that_has_started_it(tmp_path: Path) -> None:
    written = tmp_path / "program"
    sleeper = (
        f"import os, time; open({str(written)!r}, 'w').write(str(os.getpid())); time.sleep(99)"
    )
    code = (
        "import os, subprocess, sys, time\n"
        "command = [sys.executable, '-m', 'chat.tools.mcp.program_launcher', str(os.getpid()),"
        f" sys.executable, '-c', {sleeper!r}]\n"
        "subprocess.Popen(command)\n"
        "time.sleep(99)"
    )
    site = await asyncio.create_subprocess_exec(PYTHON, "-c", code, cwd=ROOT)
    await until(lambda: written.exists() and bool(written.read_text()))
    program = int(written.read_text())
    site.send_signal(signal.SIGKILL)
    await site.wait()
    await until(lambda: not is_running(program))


LINE = '{"jsonrpc": "2.0", "method": "notifications/message"}'


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit()", "closed"),
        ("print('nonsense', flush=True); time.sleep(99)", "garbage"),
        ("while True: print('x' * 1_000_000, end='')", "too_long"),
        (f"while True: print({LINE!r})", "flood"),
        ("while True: print()", "flood"),
        ("answer({'content': 5})", "garbage"),
        ("os.close(0); os.close(1); time.sleep(99)", "closed"),
    ],
)
async def test_what_a_program_does_wrong_ends_the_session(
    settings: Settings, code: str, reason: str
) -> None:
    assert await refusal(settings, code) == reason


async def test_a_program_that_asks_gets_nothing(settings: Settings) -> None:
    asks = '{"jsonrpc": "2.0", "id": "s", "method": "sampling/createMessage"}'
    code = (
        f"print({asks!r}, flush=True); number = json.loads(sys.stdin.readline())['id']\n"
        "reply = sys.stdin.readline()\n"
        "text = {'type': 'text', 'text': reply}\n"
        "print(json.dumps({'id': number, 'result': {'content': [text]}}), flush=True)"
    )
    settings.TOOL_PROGRAMS = {"files": [PYTHON, "-c", HELLO + code]}
    assert "-32601" in await called("high_tide")
    assert await refusal(settings, f"while True: print({asks!r}, flush=True)") == "flood"


async def test_a_program_that_reads_nothing_holds_nobody(settings: Settings) -> None:
    settings.TOOL_PROGRAMS = {"files": [PYTHON, "-c", HELLO + "time.sleep(99)"]}
    async with asyncio.timeout(20):
        with pytest.raises(McpError) as error:
            await called("high_tide", b'{"place": "%b"}' % (b"x" * 1_000_000), seconds=3)
    assert error.value.reason == "timeout"


async def test_few_run_at_once(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    places = threading.BoundedSemaphore(1)
    monkeypatch.setattr(program_channel, "_places", places)
    settings.TOOL_PROGRAMS = {"files": [PYTHON, "-c", HELLO + "time.sleep(99)"]}
    async with client.session(FILES, SECONDS):
        with pytest.raises(McpError) as error:
            await called("high_tide", seconds=0.5)
    assert error.value.reason == "timeout"
    assert places.acquire(blocking=False)
