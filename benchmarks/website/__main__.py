"""Measure how a website is read and how its questions are answered: `make bench-website SITE=…`.

`SITE` is a folder of HTML files. nginx serves it on this machine, with a sitemap that names no
dates, to a server of the site. It is read twice. Then the questions of `QUESTIONS` are asked as
visitors would: a JSON object in each line, with the `pages` of which one has to be cited. Those in
`django_questions.jsonl` are about Django's documentation, built with Sphinx.

It is done with the vectors of each model in `benchmarks/knowledge/embedders.py` that is installed;
the model that writes the answers is the emulator, which quotes two passages.
"""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

from benchmarks.knowledge import embedders
from benchmarks.knowledge.embedders import Embedder
from benchmarks.website import embeddings, host, questions, reading
from tests.support.servers.server import running, signed_up

OWN_QUESTIONS = Path(__file__).with_name("django_questions.jsonl")
CLOUDFLARE = {"CLOUDFLARE_ACCOUNT_ID": "bench", "CLOUDFLARE_API_TOKEN": "bench"}


def main() -> int:
    folder = Path(os.environ.get("SITE") or sys.exit("Name a folder of HTML files: SITE=…"))
    asked = questions.read(Path(os.environ.get("QUESTIONS") or OWN_QUESTIONS))
    for embedder in embedders.available():
        _measure(embedder, folder, asked)
    return 0


def _measure(embedder: Embedder, folder: Path, asked: list[questions.Asked]) -> None:
    print(f"\nWith the vectors of {embedder.name}", flush=True)
    with ExitStack() as stack:
        upstream = stack.enter_context(embeddings.served(embedder.name))
        website = stack.enter_context(host.served(folder))
        least = str(embedder.least_similarity)
        settings = CLOUDFLARE | {"WORKERS_AI_BASE_URL": upstream, "KNOWLEDGE_MIN_SIMILARITY": least}
        server = stack.enter_context(running(**settings))
        signed_up(server).close()
        key = reading.add(server, website)
        first = reading.measure(server, website, key, "the first time")
        again = reading.measure(server, website, key, "again")
        print(f"    of the bytes of the first time: {again / first:.1%}", flush=True)
        questions.ask(server, key, asked, website)


if __name__ == "__main__":
    sys.exit(main())
