"""Pass a value from a pre-save signal to the post-save signal."""

from typing import Generic, TypeVar

from django.db.models import Model

T = TypeVar("T")


class BeforeSave(Generic[T]):
    """Store one value on an instance while it is being saved."""

    def __init__(self, name: str) -> None:
        self._name = f"_before_save_{name}"

    def remember(self, instance: Model, value: T) -> None:
        instance.__dict__[self._name] = value

    def recall(self, instance: Model) -> T:
        """Return the value, which stays stored."""
        value: T = instance.__dict__[self._name]
        return value
