"""Serve the emulator with the vectors of another model.

Its name is in `EMBEDDER`. With a file in `VECTORS`, they are kept there, since a real model takes
hours for all passages of a large website.
"""

import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import numpy as np

from benchmarks.knowledge.embedders import Embedder, available
from chat.emulator import Emulator, application
from chat.emulator.asgi import Application, Receive, Scope, Send
from tests.support.servers.server import BIN, ROOT, UVICORN, free_port, wait_for

PATH = "/embeddings"
JSON = [(b"content-type", b"application/json")]


@contextmanager
def served(embedder: str) -> Iterator[str]:
    """Serve it until the end of the block; yield the base URL."""
    port = free_port()
    program, *options = UVICORN.format(port=port).split()
    command = [str(BIN / program), *options, "--factory", "benchmarks.website.embeddings:create"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"EMBEDDER": embedder})
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        yield f"http://127.0.0.1:{port}/client/v4"
    finally:
        process.terminate()
        process.wait(10)


def create() -> Application:
    """Return the application. Called by uvicorn."""
    name = os.environ["EMBEDDER"]
    vectors = _Vectors(next(each for each in available() if each.name == name))
    emulated = application(Emulator(tokens_per_second=0, first_token_seconds=0))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if not scope.get("path", "").endswith(PATH):
            await emulated(scope, receive, send)
            return
        body = b""
        while (message := await receive()).get("more_body") or message.get("body"):
            body += message["body"]
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": JSON})
        answer = _answer(json.loads(body), vectors)
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})

    return serve


class _Vectors:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._rows = sqlite3.connect(os.environ.get("VECTORS", ":memory:"), isolation_level=None)
        self._rows.execute("create table if not exists vectors (id text primary key, value blob)")

    def of(self, text: str, *, is_question: bool) -> Sequence[float]:
        embedder = self._embedder
        pk = sha256(f"{embedder.name}\0{is_question}\0{text}".encode()).hexdigest()
        if row := self._rows.execute("select value from vectors where id = ?", [pk]).fetchone():
            kept: list[float] = np.frombuffer(row[0], "f4").tolist()
            return kept
        made = embedder.of_question(text) if is_question else embedder.of_texts([text])[0]
        blob = np.array(made, "f4").tobytes()
        self._rows.execute("insert into vectors values (?, ?)", [pk, blob])
        return [float(each) for each in made]


def _answer(request: dict[str, Any], vectors: _Vectors) -> dict[str, Any]:
    texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
    is_question = len(texts) == 1 and texts[0].rstrip().endswith("?")
    data = [
        {
            "object": "embedding",
            "index": at,
            "embedding": list(vectors.of(text, is_question=is_question)),
        }
        for at, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 0, "total_tokens": 0}
    return {"object": "list", "data": data, "model": request["model"], "usage": usage}
