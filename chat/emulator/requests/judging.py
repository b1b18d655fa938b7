"""Answer requests for a verdict on a text by its words, in the formats of three kinds of judges.

There is no understanding in it. To try what a site does with a verdict, write it into the text:
`judge:violence=0.8`.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from chat.emulator.common import tokens
from chat.emulator.requests.problems import bad, mismatch
from chat.lib.catalogue import SHIPPED_EMBEDDINGS, Model, read_catalogue
from chat.lib.words import words_of

MOST_QUESTIONS = 64
SURE, UNLIKELY = 0.96, 0.02
PREFIX = "judge:"
TOPIC = "topic_"
#: Of telephone numbers, cards and accounts.
FEWEST_DIGITS = 9

_WORDS = {
    "violence": "kill kills killing murder stab shoot massacre töten umbringen",
    "self_harm": "suicide selfharm suizid selbstmord suicidio",
    "sexual": "porn nude sex naked",
    "hate": "subhuman vermin untermensch",
    "harassment": "idiot moron loser bastard",
    "dangerous": "bomb explosive meth nerve ransomware bombe",
    "person": "human agent operator mensch mitarbeiter",
    "unanswered": "unfortunately sorry cannot leider",
}
WORDS = {name: frozenset(each.split()) for name, each in _WORDS.items()}
GUARD_CODES = {
    "violence": "S1",
    "dangerous": "S2",
    "sexual": "S12",
    "harassment": "S5",
    "personal": "S7",
    "hate": "S10",
    "self_harm": "S11",
}
OPENAI_NAMES = {
    "violence": "violence",
    "self_harm": "self-harm",
    "sexual": "sexual",
    "hate": "hate",
    "harassment": "harassment",
    "dangerous": "illicit",
}


@cache
def models() -> dict[str, Model]:
    shipped = read_catalogue(SHIPPED_EMBEDDINGS)
    return {name: each for name, each in shipped.items() if each.task in {"decision", "guard"}}


def result(model: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result on `/ai/run`. Raise `Refusal`."""
    return _guard(document) if models()[model].task == "guard" else _decision(model, document)


def moderation(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of `/v1/moderations`. Raise `Refusal`."""
    texts = document.get("input")
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not all(isinstance(each, str) and each for each in texts):
        bad("required properties at '/' are 'input'")
    return {
        "id": "modr-emulator",
        "model": str(document.get("model") or "emulator"),
        "results": [_moderated(text) for text in texts],
    }


def _moderated(text: str) -> dict[str, Any]:
    scores = {name: probability(ours, text) for ours, name in OPENAI_NAMES.items()}
    categories = {name: score > 1 / 2 for name, score in scores.items()}
    return {
        "flagged": any(categories.values()),
        "categories": categories,
        "category_scores": scores,
    }


def _decision(model: str, document: Mapping[str, Any]) -> dict[str, Any]:
    state, questions = document.get("state"), document.get("questions")
    if state is None or not isinstance(questions, dict):
        bad("required properties at '/' are 'state,questions'")
    if not 1 <= len(questions) <= MOST_QUESTIONS:
        bad(f"'/questions' must have 1 to {MOST_QUESTIONS} properties")
    answers = {}
    for name, question in questions.items():
        if not isinstance(question, dict):
            mismatch(f"/questions/{name}", question, "object")
        if question.get("type") != "noul" or not question.get("instructions"):
            bad(f"'/questions/{name}': the emulator answers 'noul' with 'instructions'")
        answers[name] = {"type": "noul", "noul": _noul(name, state, str(question["instructions"]))}
    read = [*_texts(state), *(each["instructions"] for each in questions.values())]
    used = sum(tokens.count(str(each)) for each in read)
    usage = {"input_tokens": used, "output_tokens": 0}
    return {"model": model.rpartition("/")[2], "answers": answers, "usage": usage}


def _noul(name: str, state: Any, instructions: str) -> float:
    about = state if isinstance(state, dict) else {"answer": state}
    answer = " ".join(_texts(about.get("answer")))
    judged = answer or " ".join(_texts(about.get("question")))
    if name == "ungrounded":
        known = set(words_of(" ".join(_texts(about.get("passages")))))
        said = set(words_of(answer))
        return _told(name, judged, round(len(said - known) / max(1, len(said)), 3))
    if name.startswith(TOPIC):
        topic = set(words_of(instructions.rpartition(": ")[2]))
        asked = words_of(" ".join(_texts(about.get("question"))))
        return _told(name, judged, UNLIKELY if topic.isdisjoint(asked) else SURE)
    return probability(name, judged)


def probability(name: str, text: str) -> float:
    """Return how probable it is that the text is of this category."""
    if name == "personal":
        digits = sum(map(str.isdigit, text))
        is_sure = digits >= FEWEST_DIGITS or any(
            "@" in word and "." in word for word in text.split()
        )
    else:
        is_sure = not WORDS.get(name, frozenset()).isdisjoint(words_of(text))
    return _told(name, text, SURE if is_sure else UNLIKELY)


def _told(name: str, text: str, otherwise: float) -> float:
    """Return the probability that the text itself tells, or else this one."""
    for word in text.split():
        category, _equals, number = word.removeprefix(PREFIX).partition("=")
        if word.startswith(PREFIX) and category == name:
            try:
                return min(1.0, max(0.0, float(number)))
            except ValueError:
                continue
    return otherwise


def _guard(document: Mapping[str, Any]) -> dict[str, Any]:
    messages = document.get("messages")
    if not isinstance(messages, list) or not messages:
        bad("required properties at '/' are 'messages'")
    said = [each.get("content") if isinstance(each, dict) else None for each in messages]
    if not all(isinstance(text, str) and text for text in said):
        bad("Length of '/messages/content' must be >= 1")
    codes = [code for name, code in GUARD_CODES.items() if probability(name, str(said[-1])) > 1 / 2]
    written = "unsafe\n" + ",".join(codes) if codes else "safe"
    used, made = sum(tokens.count(str(text)) for text in said), tokens.count(written)
    usage = {"prompt_tokens": used, "completion_tokens": made, "total_tokens": used + made}
    return {"response": f"\n\n{written}", "usage": usage}


def _texts(value: Any) -> Iterable[str]:
    """Return all texts in a JSON value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in _texts(each)]
