"""The settings for answers as a value that can be stored with a conversation."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from chat.personas.models import Persona


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """Settings for answers.

    The empty one, of a chat without a persona, leaves everything to the user's choice and the
    site's defaults. All but the project's instructions and the collections, which its owner chose
    for the chat, are a persona's.
    """

    name: str = ""
    system_prompt: str = ""
    model: str = ""
    fallback_model: str = ""
    max_tokens: int | None = None
    reasoning_effort: str = ""
    parameters: Mapping[str, float | int] = field(default_factory=dict)
    cache_seconds: int | None = None
    project_instructions: str = ""
    collections: tuple[str, ...] = ()

    @classmethod
    def of(cls, persona: Persona) -> Self:
        names = {each.name for each in fields(cls)} - {"project_instructions", "collections"}
        return cls(**{name: getattr(persona, name) for name in names})

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Read what `as_stored` returned, in this version or another one."""
        known = {each.name: stored[each.name] for each in fields(cls) if each.name in stored}
        return cls(**known | {"collections": tuple(stored.get("collections", ()))})

    def as_stored(self) -> dict[str, Any]:
        return asdict(self)
