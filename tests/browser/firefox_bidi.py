"""Run Firefox so that Playwright can drive it: `python -m tests.browser.firefox_bidi FIREFOX ...`.

Playwright speaks WebDriver BiDi with an unchanged Firefox, but sends a command to each page that
Firefox ESR doesn't know (Playwright 1.65, Firefox 153), and gives up. This stands between them, and
answers that command. So colour schemes can't be chosen; all else is Firefox's.
"""

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import PIPE, STDOUT, Process

from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve

UNKNOWN = {"emulation.setMediaFeaturesOverride"}
LISTENING = re.compile(r"(WebDriver BiDi listening on )(ws://[\w.:]+)")


async def main(command: list[str]) -> int:
    # Playwright sets it: then a page that crashes ends all of Firefox, and each later test fails, too.
    os.environ.pop("MOZ_CRASHREPORTER_SHUTDOWN", None)
    firefox = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=STDOUT)
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def relay(client: ServerConnection) -> None:
        path = client.request.path if client.request else ""
        async with connect(await address + path, max_size=None, ping_interval=None) as upstream:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_send_commands(client, upstream))
                tasks.create_task(_send_events(upstream, client))

    async with serve(relay, "127.0.0.1", 0, max_size=None, ping_interval=None) as server:
        await _print_output(firefox, server, address)
    return await firefox.wait()


async def _print_output(firefox: Process, server: Server, address: asyncio.Future[str]) -> None:
    """Print what Firefox prints, with the address of the server in place of its own."""
    port = next(iter(server.sockets)).getsockname()[1]
    assert firefox.stdout
    async for line in firefox.stdout:
        text = line.decode(errors="replace")
        if (found := LISTENING.search(text)) and not address.done():
            address.set_result(found[2])
        print(
            LISTENING.sub(rf"\g<1>ws://127.0.0.1:{port}", text), end="", file=sys.stderr, flush=True
        )


async def _send_commands(client, upstream) -> None:  # type: ignore[no-untyped-def]
    async for message in client:
        command = json.loads(message)
        if command["method"] in UNKNOWN:
            await client.send(json.dumps({"type": "success", "id": command["id"], "result": {}}))
        else:
            await upstream.send(message)
    await upstream.close()


async def _send_events(upstream, client) -> None:  # type: ignore[no-untyped-def]
    async for message in upstream:
        await client.send(message)
    await client.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
