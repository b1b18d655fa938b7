"""Resolve the generation settings of a site from its owner's persona."""

from chat.personas.access import usable
from chat.personas.models import Persona
from chat.personas.persona_settings import GenerationSettings
from chat.widget_sites.models import WidgetSite


def settings_of_site(site_key: str) -> GenerationSettings | None:
    """Return the settings; None if there is no persona or the owner may no longer use it."""
    site = WidgetSite.objects.filter(key=site_key).first()
    if site is None or site.persona_id is None:
        return None
    persona = usable(Persona, site.owner_id).filter(pk=site.persona_id).first()
    return GenerationSettings.of(persona) if persona else None
