"""What a signal before a save leaves for the one after it."""

from typing import Generic, TypeVar

from django.db.models import Model

T = TypeVar("T")


class BeforeSave(Generic[T]):
    """Keeps one value on each instance while it is being saved."""

    def __init__(self, name: str) -> None:
        self._name = f"_before_save_{name}"

    def remember(self, instance: Model, value: T) -> None:
        instance.__dict__[self._name] = value

    def recall(self, instance: Model) -> T:
        """Return what was remembered; it stays."""
        value: T = instance.__dict__[self._name]
        return value
