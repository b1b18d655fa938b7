"""How a site's chat looks, as its owner chose. The attributes of the website's tag come first."""

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from chat.lib.contrast import contrast
from chat.widget_sites.look import pictures as widget_pictures
from chat.widget_sites.models import WidgetSite

#: What makes a button stand out from the page, by WCAG 2.2 (1.4.11).
MIN_CONTRAST = 3.0
WHITE, DARK = "#ffffff", "#161817"


@dataclass(frozen=True, slots=True)
class WidgetLook:
    """The appearance, as far as it differs from the default."""

    color: str = ""  # "#rrggbb"
    theme: str = ""  # "light" or "dark"
    lang: str = ""
    side: str = ""  # "start"
    size: str = ""  # "compact" or "large"
    icon: str = ""  # launcher_icons.py
    label: str = ""
    header: str = ""  # "color"
    logo: str = ""  # names of pictures (look/pictures.py)
    avatar: str = ""
    sound: bool = False
    texts: dict[str, dict[str, Any]] = field(default_factory=dict)  # by language (look/texts.py)
    messages: list[dict[str, Any]] = field(default_factory=list)  # proactive_messages.py

    @classmethod
    def of(cls, site: WidgetSite) -> Self:
        known = cls.__dataclass_fields__
        return cls(**{name: value for name, value in (site.look or {}).items() if name in known})

    @property
    def chosen(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def pictures(self) -> set[str]:
        return {self.logo, self.avatar} - {""}

    @property
    def is_faint(self) -> bool:
        """Whether the button is hard to see on a page of this theme."""
        page = DARK if self.theme == "dark" else WHITE
        return bool(self.color) and contrast(self.color, page) < MIN_CONTRAST


def save(site: WidgetSite, look: WidgetLook) -> None:
    """Save the look, and the base texts of `site`. Remove pictures that are not shown any more."""
    site.look = look.chosen
    site.save(update_fields=["look", "welcome", "starters"])
    widget_pictures.keep_only(site, look.pictures)
