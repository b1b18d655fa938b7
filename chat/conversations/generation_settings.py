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
from chat.personas.persona_settings import GenerationSettings
from chat.projects.access import instructions_of, unarchived_project_of


def set_persona(conversation: Conversation, persona_id: uuid.UUID) -> None:
    """Set the persona of a new conversation; raise `NotFound` unless its owner may use it."""
    conversation.persona = access.persona_of(conversation.owner_id, persona_id)
    conversation.save(update_fields=["persona"])


def set_project(conversation: Conversation, project_id: uuid.UUID) -> None:
    """Set the project of a new conversation.

    Raise `ProjectUnavailable` if there is none, or `ProjectArchived`.
    """
    try:
        conversation.project = unarchived_project_of(conversation.owner_id, project_id)
    except NotFound:
        raise ProjectUnavailable from None
    conversation.save(update_fields=["project"])


def settings_of(conversation: Conversation) -> GenerationSettings:
    """Return the current settings: the persona's, else those used last, and the project's."""
    return in_project(_of_persona(conversation), conversation.owner_id, conversation.project_id)


def in_project(
    generation_settings: GenerationSettings, user_id: int, project_id: uuid.UUID | None
) -> GenerationSettings:
    """Return the settings with the instructions of this project."""
    instructions = instructions_of(user_id, project_id) if project_id else ""
    return replace(generation_settings, project_instructions=instructions)


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


def store_settings(conversation: Conversation, generation_settings: GenerationSettings) -> None:
    """Store the settings of the next answer, to use them if the persona is removed.

    Staff read there which instructions of a project the model got.
    """
    if GenerationSettings.read(conversation.generation_settings) != generation_settings:
        conversation.generation_settings = generation_settings.as_stored()
        conversation.save(update_fields=["generation_settings"])
