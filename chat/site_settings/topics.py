"""What people ask about, as the site's owner names it. A judge tells which of these it is."""

from dataclasses import dataclass
from typing import Self

MAX_TOPICS = 20
NAME_LENGTH, LINE_LENGTH = 40, 200


@dataclass(frozen=True, slots=True)
class Topic:
    """A name, and what belongs to it."""

    name: str
    description: str = ""

    @classmethod
    def read(cls, line: str) -> Self:
        """Return the topic of a line such as `Payroll: salary, payslips, taxes`."""
        name, _colon, description = line.partition(":")
        return cls(name.strip(), description.strip())

    @property
    def line(self) -> str:
        return f"{self.name}: {self.description}" if self.description else self.name

    @property
    def question(self) -> str:
        """What the judge is asked."""
        about = f"{self.name} ({self.description})" if self.description else self.name
        return f"Is the question about this topic: {about}?"
