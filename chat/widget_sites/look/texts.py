"""What the chat says to visitors in their language, as the site's owner wrote it."""

from dataclasses import dataclass
from typing import Any, Self

from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import WidgetSite


@dataclass(frozen=True, slots=True)
class WidgetTexts:
    """The texts of one language. Those that its owner has not written are in the base language."""

    label: str
    welcome: str
    starters: list[str]

    @classmethod
    def of(cls, site: WidgetSite, language: str) -> Self:
        look = WidgetLook.of(site)
        base = {"label": look.label, "welcome": site.welcome, "starters": site.starters}
        written: dict[str, Any] = look.texts.get(language, {})
        return cls(**{name: written.get(name) or text for name, text in base.items()})
