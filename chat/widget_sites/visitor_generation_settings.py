"""Resolve the generation settings of a site from its owner's persona."""

from dataclasses import replace

from chat.personas.access import usable
from chat.personas.models import Persona
from chat.personas.settings import GenerationSettings
from chat.widget_sites.models import AnswerMode, WidgetSite

#: Lets the model offer a person. It knows the button by its place, which all languages share.
PERSON_OFFER = (
    "The visitor can ask for a person of this website's team with the button below the chat. Say so"
    " when the visitor wants a person, or when you can't help."
)
#: Lets the model write what static/js/lib/answer_blocks.js reads.
CARDS_OFFER = (
    "If the visitor has to choose, end the answer with buttons: a fenced code block with the "
    "language `buttons`, and in it one to six labels of a few words, each on a line of its own, in "
    "the visitor's language. A click sends the label as the visitor's next message. To point to "
    "pages, end it with cards: a fenced code block with the language `cards`, and in it for each "
    "of at most four cards the lines `title: `, `text: ` and `link: `, with an empty line between "
    "two cards. Link only to addresses of this website that you were given. Use these blocks "
    "sparingly, and never speak of them."
)


def visitor_settings_of(site_key: str) -> GenerationSettings | None:
    """Return the settings; None if the site determines none."""
    site = WidgetSite.objects.filter(key=site_key).first()
    if site is None:
        return None
    generation_settings = persona_settings_of(site)
    if site.tool_names or (generation_settings and generation_settings.tool_names):
        # Those of the persona are for members.
        tools = tuple(site.tool_names.split())
        generation_settings = generation_settings or GenerationSettings()
        generation_settings = replace(generation_settings, tools=tools, tool_names="")
    offers = [PERSON_OFFER] * site.offers_person + [CARDS_OFFER] * site.has_cards
    if not offers:
        return generation_settings
    generation_settings = generation_settings or GenerationSettings()
    prompts = filter(None, (generation_settings.system_prompt, *offers))
    return replace(generation_settings, system_prompt="\n\n".join(prompts))


def answer_mode_of(site_key: str) -> AnswerMode:
    """Return what a site's answers may be based on."""
    found = WidgetSite.objects.filter(key=site_key).values_list("answer_mode", flat=True).first()
    return AnswerMode(found or AnswerMode.FREELY)


def persona_settings_of(site: WidgetSite) -> GenerationSettings | None:
    """Return the settings of a site's persona.

    Return None if there is no persona or the owner may no longer use it."""
    if site.persona_id is None:
        return None
    persona = usable(Persona, site.owner_id).filter(pk=site.persona_id).first()
    return GenerationSettings.of(persona) if persona else None
