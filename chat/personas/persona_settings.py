"""How answers are to be written: what a persona says, as a value that can be kept."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from chat.personas.models import Persona


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """A chat without a persona has an empty one: everything is as chosen, or as the site has it."""

    name: str = ""
    system_prompt: str = ""
    model: str = ""
    fallback_model: str = ""
    max_tokens: int | None = None
    reasoning_effort: str = ""
    parameters: Mapping[str, float | int] = field(default_factory=dict)
    cache_seconds: int | None = None

    @classmethod
    def of(cls, persona: Persona) -> Self:
        return cls(**{each.name: getattr(persona, each.name) for each in fields(cls)})

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """What `as_stored` wrote, by this version or another one."""
        return cls(**{each.name: stored[each.name] for each in fields(cls) if each.name in stored})

    def as_stored(self) -> dict[str, Any]:
        return asdict(self)
