"""The settings for answers as a value that can be stored with a conversation."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from chat.personas.models import Persona

_LISTS = frozenset({"collections", "tools", "allowed_tools"})
_OF_CHAT = _LISTS | {"project_instructions"}


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """Settings for answers.

    The empty one, of a chat without a persona, leaves everything to the user's choice and the
    site's defaults. All but the project's instructions, and the collections and tools, which its
    owner chose for the chat, are a persona's.
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
    tool_names: str = ""
    tools: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] = ()  # may have effects without being asked about

    @property
    def all_tools(self) -> tuple[str, ...]:
        """Return the tools of the persona, and those chosen for the chat."""
        return (*self.tool_names.split(), *self.tools)

    @classmethod
    def of(cls, persona: Persona) -> Self:
        names = {each.name for each in fields(cls)} - _OF_CHAT
        return cls(**{name: getattr(persona, name) for name in names})

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Read what `as_stored` returned, in this version or another one."""
        known = {each.name: stored[each.name] for each in fields(cls) if each.name in stored}
        return cls(**known | {name: tuple(stored.get(name, ())) for name in _LISTS})

    def as_stored(self) -> dict[str, Any]:
        return asdict(self)
