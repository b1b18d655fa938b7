"""Make documents that name the same codes, numbers and people, and questions that name one, too.

Each machine has a document of every kind. Words find those of the machine; which of them answers
the question is said in other words. Vectors of the same kind of document are nearly the same.
"""

import random
from typing import NamedTuple

from benchmarks.knowledge.questions import Question, QuestionSet

SEED = 11
MACHINES = 200
QUESTIONS = 100

_FIRST_NAMES = ("Ayşe", "Björn", "Carmen", "Dmitri", "Fatima", "George", "Hanna", "Jürgen", "Noor")
_LAST_NAMES = ("Almeida", "Brandt", "Castillo", "Demir", "Fischer", "Hashimi", "Jansen", "Köhler")
_PARTS = ("pump", "valve", "gearbox", "sensor", "bearing", "filter", "coupling", "seal")


class _Kind(NamedTuple):
    name: str
    text: str
    question: str


_KINDS = (
    _Kind(
        "part number",
        "Data sheet of the {part} {number}. Tighten its bolts to {torque} Nm. Replace it after "
        "{hours} operating hours. Spare parts are in store {store}.",
        "What torque do the screws of {number} need?",
    ),
    _Kind(
        "error code",
        "Error {code} stops the {part} {number}. Reset it with the red switch and wait {hours} "
        "seconds. If the error comes back, call {name}.",
        "The display says {code}. How do I get it to run again?",
    ),
    _Kind(
        "name",
        "{name} looks after contract {contract} for the {part} {number} in store {store}. It ends "
        "after {hours} days and has a penalty of {torque} percent.",
        "What must we pay if the agreement {contract} of {name} is late?",
    ),
    _Kind(
        "German",
        "Wartungsanleitung für {number}: Das Öl der Baugruppe alle {hours} Stunden wechseln, den "
        "Druck auf {torque} bar einstellen. Ansprechpartner ist {name}.",
        "Wie oft braucht {number} einen Ölwechsel?",
    ),
)


def build(machine_count: int = MACHINES) -> QuestionSet:
    choose = random.Random(SEED)
    machines = [_machine(choose) for _ in range(machine_count)]
    texts = [kind.text.format(**machine) for machine in machines for kind in _KINDS]
    questions = []
    for place in choose.sample(range(len(texts)), QUESTIONS):
        machine, kind = machines[place // len(_KINDS)], _KINDS[place % len(_KINDS)]
        questions.append(Question(kind.question.format(**machine), place, kind.name))
    return QuestionSet(texts, questions)


def _machine(choose: random.Random) -> dict[str, str]:
    letters = "".join(choose.choices("ABCDEFGHKLMNPRSTXZ", k=2))
    return {
        "part": choose.choice(_PARTS),
        "number": f"{letters}-{choose.randrange(1000, 9999)}-{choose.choice('ABC')}",
        "code": f"E{choose.randrange(10000, 99999)}",
        "contract": f"{choose.randrange(2019, 2027)}/{choose.randrange(100, 999)}",
        "store": f"{choose.choice('NSEW')}{choose.randrange(10, 99)}",
        "name": f"{choose.choice(_FIRST_NAMES)} {choose.choice(_LAST_NAMES)}",
        "torque": str(choose.randrange(5, 250)),
        "hours": str(choose.randrange(10, 9000)),
    }
