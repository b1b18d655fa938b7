"""What an experiment asks of the upstream, encoded in the message that the site relays."""

import json
import re
from dataclasses import asdict, dataclass, fields

CUTS = ("mid_token", "mid_utf8", "mid_event", "no_done", "reset")
STALLS = ("silence", "stall", "comments")
REFUSALS = ("allocation", "capacity", "html", "error_event")

_START = re.compile(r'\{"chaos"')


@dataclass(frozen=True, slots=True)
class Directive:
    """`mark` is unique per send, so that calls can be counted.

    `fault` happens after `fault_at` tokens, in the first `times` calls (0: in every call).
    `tokens` below zero: the answer never ends. `witness`: look whether the question is stored.
    """

    mark: str
    tokens: int = 20
    tokens_per_second: float = 0.0  # 0: as fast as they are taken
    fault: str = ""
    fault_at: int = 0
    times: int = 0
    padding_chars: int = 0  # per token
    again: int = 10  # tokens of later calls, which are quick (a "continue")
    torn: bool = False  # events come in pieces, cut at any byte
    witness: bool = True

    def as_text(self) -> str:
        """Return a question that contains this directive."""
        return "Say something. " + json.dumps({"chaos": asdict(self)})


def directive_in(texts: list[str]) -> Directive | None:
    """Return the directive in the newest of `texts` that has one (a "continue" has none)."""
    names = {field.name for field in fields(Directive)}
    for text in reversed(texts):
        if found := _START.search(text):
            value, _ = json.JSONDecoder().raw_decode(text, found.start())
            return Directive(**{k: v for k, v in value["chaos"].items() if k in names})
    return None


def token(mark: str, call: int, number: int, padding_chars: int = 0) -> str:
    """Return a unique piece of text, which makes gaps, repetitions and wrong order visible."""
    extra = _EXTRAS[(number * 7 + call) % len(_EXTRAS)]
    return f"⟦{mark}.{call}.{number}⟧{extra}" + "·" * padding_chars


#: Letters of one to four bytes, joined emoji, and characters that some code treats as line ends.
_EXTRAS = (
    " ",
    "é",
    "漢字",
    "🦑",
    "👩‍👩‍👧",
    "\u2028",
    "e\u0301",
    "שלום",
    "\u0085",
    "\n\n",
    "data: [DONE]\n\n",
    "<b>&amp;",
    '"\\',
)
