"""Describe audio and image models. Only the API for programs uses them."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal

from chat.lib.catalogue.field_checks import (
    Check,
    amount,
    check_fields,
    literal,
    text,
    texts,
    tokens,
    whole_number,
)

MediaTask = Literal["transcription", "speech", "image"]
#: How Workers AI wants the request of a model; other providers are asked in OpenAI's format.
MediaSchema = Literal["", "whisper", "whisper-turbo", "melotts", "aura", "flux", "stable-diffusion"]
_SCHEMAS: dict[str, tuple[str, ...]] = {
    "transcription": ("", "whisper", "whisper-turbo"),
    "speech": ("", "melotts", "aura"),
    "image": ("", "flux", "stable-diffusion"),
}
#: The prices that count for each task; a model has at least one of them, which may be 0.
_PRICES = {
    "transcription": ("usd_per_minute",),
    "speech": ("usd_per_thousand_characters", "usd_per_minute"),
    "image": ("usd_per_image", "usd_per_tile", "usd_per_step"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaModel:
    """A model for one task. Its cost is the sum of the prices that are set.

    `usd_per_minute` is that of audio, heard or spoken. A tile is a square of 512 pixels. The first
    of `voices`, `formats` and `sizes` is the default; without any, the provider decides what it
    takes. `provider`, `id_there` and `requests_per_minute` are as in `Model`.
    """

    id: str
    task: MediaTask
    name: str = ""
    schema: MediaSchema = ""
    usd_per_minute: float = 0
    usd_per_thousand_characters: float = 0
    usd_per_image: float = 0
    usd_per_tile: float = 0
    usd_per_step: float = 0
    voices: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    default_steps: int = 1
    max_steps: int = 1
    max_characters: int = 4096
    provider: str = ""
    id_there: str = ""
    requests_per_minute: int = 0

    @property
    def provider_id(self) -> str:
        """Return the id that its provider knows it by."""
        return self.id_there or self.id


def media_model_from(entry: Any) -> MediaModel:
    """Return the model that a table describes. Raise ValueError, naming the key."""
    if not isinstance(entry, Mapping):
        raise ValueError("expected a table")
    values = check_fields(entry, _CHECKS, _REQUIRED)
    task = values["task"]
    if values.get("schema", "") not in _SCHEMAS[task]:
        raise ValueError(f"schema: {values['schema']!r} is not for {task}")
    prices = _PRICES[task]
    if not any(price in values for price in prices):
        raise ValueError(f"{prices[0]}: missing; write 0 if it is free")
    if values.get("default_steps", 1) > values.get("max_steps", 1):
        raise ValueError("default_steps: more than max_steps")
    if not values.get("name"):
        values["name"] = values["id"].rpartition("/")[2]
    return MediaModel(**values)


_CHECKS: dict[str, Check] = {
    "id": text,
    "task": literal(MediaTask),
    "name": text,
    "schema": literal(MediaSchema),
    "usd_per_minute": amount,
    "usd_per_thousand_characters": amount,
    "usd_per_image": amount,
    "usd_per_tile": amount,
    "usd_per_step": amount,
    "voices": texts,
    "formats": texts,
    "sizes": texts,
    "default_steps": tokens,
    "max_steps": tokens,
    "max_characters": tokens,
    "provider": text,
    "id_there": text,
    "requests_per_minute": whole_number,
}
_REQUIRED = [field.name for field in fields(MediaModel) if field.default is MISSING]
