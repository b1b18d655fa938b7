"""Check that arguments of tools pass through unchanged: `make bench-tools DATA=…`.

`DATA` is a folder with files of the Berkeley Function Calling Leaderboard, `possible_answer/*.json`
of the package `bfcl-eval` (`pip download --no-deps bfcl-eval`, then unzip it). The emulator calls a
tool with the arguments of each case, in each dialect; the site's copy of the call,
over HTTP, has to be the same JSON value. Fails if one differs.
"""

import json
import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.servers.server import running, signed_up

#: The model that speaks it, and the command that has the emulator do so.
DIALECTS = {
    "native": ("@cf/meta/llama-3.3-70b-instruct-fp8-fast", "/tool"),
    "native and OpenAI's in one": ("@cf/meta/llama-4-scout-17b-16e-instruct", "/tool"),
    "OpenAI's": ("@cf/openai/gpt-oss-20b", "/tool"),
    "in the text": ("@cf/openai/gpt-oss-20b", "/tool-text"),
}
CASES = int(os.environ.get("CASES", "300"))
MAX_MESSAGE_CHARS = 20_000


def cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the first acceptable arguments of each call."""
    for file in sorted(folder.rglob("possible_answer/*.json")):
        for line in file.read_text().splitlines():
            truth = json.loads(line)["ground_truth"]
            for call in truth if isinstance(truth, list) else []:
                for values in call.values() if isinstance(call, dict) else []:
                    if isinstance(values, dict):
                        yield {name: each[0] for name, each in values.items() if each}


def stored(client: httpx.Client, model: str, command: str, arguments: dict[str, Any]) -> str:
    """Have the emulator call a tool with these arguments; return what the site has of them."""
    text = f"{command} calculator {json.dumps(arguments, ensure_ascii=False)}"
    body = {"key": uuid.uuid4().hex, "text": text, "model": model, "site_tools": ["calculator"]}
    answer = client.post("/chat/messages", json=body, headers=SAME_ORIGIN)
    assert "[DONE]" in answer.text, answer.text
    ids = answer.headers["X-Conversation-Id"], answer.headers["X-Message-Id"]
    message = client.get("/chat/{}/messages/{}".format(*ids)).json()
    call: str = message["tools"][0]["arguments"]
    return call


def main() -> int:
    folder = Path(os.environ.get("DATA") or sys.exit("Name a folder of BFCL's files: DATA=…"))
    found = list(cases(folder))
    step = max(1, len(found) // CASES)
    chosen = [each for each in found[::step] if len(json.dumps(each)) < MAX_MESSAGE_CHARS]
    different = 0
    with running() as server:
        client = signed_up(server)
        client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
        for dialect, way in DIALECTS.items():
            wrong = [each for each in chosen if json.loads(stored(client, *way, each)) != each]
            different += len(wrong)
            print(f"{dialect}: {len(chosen) - len(wrong)} of {len(chosen)} unchanged", flush=True)
            for each in wrong[:3]:
                print(f"    {json.dumps(each)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
