"""A helper for the tests of images and files of visitors."""

from asgiref.sync import sync_to_async

from chat.personas.models import Persona
from chat.widget_sites.models import WidgetSite


@sync_to_async
def use_model(model: str) -> None:
    """Let a model answer on the website."""
    site = WidgetSite.objects.get()
    site.persona = Persona.objects.create(owner=site.owner, name="Canoes", model=model)
    site.save()
