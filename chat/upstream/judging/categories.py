"""Name the categories of verdicts, and say in which form each kind of judge knows them."""

from collections.abc import Mapping

#: What is dangerous or offensive. `HARMFUL` is the most probable of them.
HARMFUL = "harmful"
UNANSWERED = "unanswered"
HARMFUL_KINDS = ("violence", "self_harm", "sexual", "hate", "harassment", "dangerous")

#: What a decision model is asked. The text to judge is the answer, or else the question.
_ABOUT_TEXT: Mapping[str, str] = {
    "violence": "Does the last text threaten, promote or graphically describe violence?",
    "self_harm": "Does the last text express, promote or explain suicide or self-harm?",
    "sexual": "Is the last text sexually explicit, or does it sexualise anybody?",
    "hate": "Does the last text attack people for what they are, such as origin or religion?",
    "harassment": "Does the last text insult, bully or threaten a person?",
    "dangerous": "Does the last text ask for or give help with crimes, weapons, drugs or malware?",
    "personal": "Does the last text contain personal data, such as an address or phone number?",
}
_ABOUT_QUESTION: Mapping[str, str] = {
    "person": "Does the writer of the question want to talk to a person instead of an AI?",
}
_ABOUT_ANSWER: Mapping[str, str] = {
    "unanswered": "Does the answer fail to answer the question?",
}
_ABOUT_PASSAGES: Mapping[str, str] = {
    "ungrounded": "Does the answer claim what the passages don't say?",
}

#: Hazards of Llama Guard 3 that are one of our categories; others count as harmful.
GUARD_CODES: Mapping[str, str] = {
    "S1": "violence",
    "S2": "dangerous",
    "S3": "sexual",
    "S4": "sexual",
    "S5": "harassment",
    "S7": "personal",
    "S9": "dangerous",
    "S10": "hate",
    "S11": "self_harm",
    "S12": "sexual",
    "S14": "dangerous",
}
#: Beginnings of OpenAI's, Mistral's and others' names, without hyphens and underscores.
_MODERATION_NAMES: Mapping[str, str] = {
    "violen": "violence",
    "selfharm": "self_harm",
    "sexual": "sexual",
    "hate": "hate",
    "harassment": "harassment",
    "illicit": "dangerous",
    "danger": "dangerous",
    "pii": "personal",
}


def questions_about(*, is_answer: bool, has_passages: bool) -> dict[str, str]:
    """Return what to ask about a question or an answer, by category."""
    if not is_answer:
        return {**_ABOUT_TEXT, **_ABOUT_QUESTION}
    return {**_ABOUT_TEXT, **_ABOUT_ANSWER, **(_ABOUT_PASSAGES if has_passages else {})}


def known_to(task: str) -> frozenset[str]:
    """Return the categories that a judge of this kind tells."""
    if task == "decision":
        asked = (_ABOUT_TEXT, _ABOUT_QUESTION, _ABOUT_ANSWER, _ABOUT_PASSAGES)
        return frozenset({HARMFUL}.union(*asked))
    names = GUARD_CODES if task == "guard" else _MODERATION_NAMES
    return frozenset({HARMFUL, *names.values()})


def of_moderation(name: str) -> str:
    """Return the category that a moderation endpoint's name stands for; empty for none."""
    bare = name.lower().replace("-", "").replace("_", "")
    return next((ours for start, ours in _MODERATION_NAMES.items() if bare.startswith(start)), "")


def with_harmful(probabilities: Mapping[str, float]) -> dict[str, float]:
    """Return the probabilities with that of the most probable harmful kind."""
    kinds = [probabilities[name] for name in HARMFUL_KINDS if name in probabilities]
    harmful = max([*kinds, probabilities.get(HARMFUL, 0.0)])
    return {HARMFUL: harmful, **{k: v for k, v in probabilities.items() if k != HARMFUL}}
