"""Choose the settings for the answers of a conversation.

They are read from its persona and its project for each answer, so editing these changes later
answers. Once the persona is deleted, or no longer shared with the owner, the settings used last
apply. A project's instructions apply to a chat only while it is in the project.
"""

import uuid
from dataclasses import replace

from chat.conversations.models import Conversation
from chat.conversations.prompt import PromptMessage
from chat.errors import NotFound, ProjectUnavailable
from chat.personas import access
from chat.personas.models import Persona
from chat.personas.settings import GenerationSettings
from chat.projects.access import instructions_of, unarchived_project_of


def settings_of_new(
    conversation: Conversation, persona_id: uuid.UUID | None, project_id: uuid.UUID | None
) -> GenerationSettings:
    """Choose persona and project of a conversation that is not stored yet; return its settings.

    Raise `PersonaUnavailable`, `ProjectUnavailable` or `ProjectArchived`.
    """
    generation_settings, user_id = GenerationSettings(), conversation.owner_id
    if persona_id:
        conversation.persona = access.persona_of(user_id, persona_id)
        generation_settings = GenerationSettings.of(conversation.persona)
    if project_id:
        try:
            conversation.project = unarchived_project_of(user_id, project_id)
        except NotFound:
            raise ProjectUnavailable from None
        generation_settings = replace(
            generation_settings, project_instructions=conversation.project.instructions
        )
    return generation_settings


def settings_of(conversation: Conversation) -> GenerationSettings:
    """Return the current settings: the persona's, else those used last, and what the chat has."""
    project_id = conversation.project_id
    instructions = instructions_of(conversation.owner_id, project_id) if project_id else ""
    chosen = GenerationSettings.read(conversation.generation_settings)
    return replace(
        _of_persona(conversation),
        project_instructions=instructions,
        collections=chosen.collections,
        tools=chosen.tools,
        allowed_tools=chosen.allowed_tools,
    )


def _of_persona(conversation: Conversation) -> GenerationSettings:
    if conversation.persona_id:
        mine = access.usable(Persona, conversation.owner_id)
        if persona := mine.filter(pk=conversation.persona_id).first():
            return GenerationSettings.of(persona)
    return GenerationSettings.read(conversation.generation_settings)


def system_messages(
    generation_settings: GenerationSettings, custom_instructions: str = ""
) -> list[PromptMessage]:
    """Return the instructions that the model reads before the chat, in their order."""
    instructions = (
        custom_instructions,  # the member's own
        generation_settings.project_instructions,
        generation_settings.system_prompt,  # the persona's
    )
    return [PromptMessage("system", each) for each in instructions if each]


def set_settings(conversation: Conversation, generation_settings: GenerationSettings) -> bool:
    """Set the settings of the next answer, to use them if the persona is removed.

    Staff read there which instructions of a project the model got. Return whether they changed.
    """
    if GenerationSettings.read(conversation.generation_settings) == generation_settings:
        return False
    conversation.generation_settings = generation_settings.as_stored()
    return True


def store_settings(conversation: Conversation, generation_settings: GenerationSettings) -> None:
    """Set and store the settings of the next answer."""
    if set_settings(conversation, generation_settings):
        conversation.save(update_fields=["generation_settings"])
