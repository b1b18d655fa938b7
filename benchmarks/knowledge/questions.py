"""Read questions about paragraphs: a file for each language, such as `de.jsonl`.

Each line is a paragraph: `{"text": "…", "questions": [{"q": "…"}]}`. The paragraphs of all
languages are one collection, in which a question has to find its own, in its own language.
XQuAD (Artetxe, Ruder and Yogatama, 2019; CC BY-SA 4.0) can be written in this form.
"""

import json
import random
from dataclasses import dataclass
from pathlib import Path

SEED = 7
QUESTIONS = 200


@dataclass(frozen=True)
class Question:
    """A question, and the place of the text that answers it."""

    text: str
    answer: int
    kind: str


@dataclass(frozen=True)
class QuestionSet:
    texts: list[str]
    questions: list[Question]


def read(folder: Path) -> QuestionSet:
    """Return all paragraphs, and as many questions of each language."""
    choose = random.Random(SEED)
    files = sorted(folder.glob("*.jsonl"))
    texts: list[str] = []
    chosen: list[Question] = []
    for file in files:
        questions: list[Question] = []
        for line in file.read_text("utf-8").splitlines():
            paragraph = json.loads(line)
            questions += (
                Question(each["q"], len(texts), file.stem) for each in paragraph["questions"]
            )
            texts.append(paragraph["text"])
        chosen += choose.sample(questions, QUESTIONS // len(files))
    return QuestionSet(texts, chosen)
