"""Choose the settings for the answers of a conversation.

They are read from its persona for each answer, so editing the persona changes later answers. Once
the persona is deleted, or no longer shared with the owner, the settings used last apply.
"""

import uuid

from chat.conversations.models import Conversation
from chat.conversations.prompt import PromptMessage
from chat.personas import access
from chat.personas.models import Persona
from chat.personas.persona_settings import GenerationSettings


def set_persona(conversation: Conversation, persona_id: uuid.UUID) -> None:
    """Set the persona of a new conversation; raise `NotFound` unless its owner may use it."""
    conversation.persona = access.persona_of(conversation.owner_id, persona_id)
    conversation.save(update_fields=["persona"])


def settings_of(conversation: Conversation) -> GenerationSettings:
    """Return the current settings: the persona's, else those used last."""
    if conversation.persona_id:
        mine = access.usable(Persona, conversation.owner_id)
        if persona := mine.filter(pk=conversation.persona_id).first():
            return GenerationSettings.of(persona)
    return GenerationSettings.read(conversation.generation_settings)


def system_messages(
    generation_settings: GenerationSettings, instructions: str = ""
) -> list[PromptMessage]:
    """Return the member's custom instructions and the system prompt; what is empty is left out."""
    said = instructions, generation_settings.system_prompt
    return [PromptMessage("system", text) for text in said if text]


def store_settings(conversation: Conversation, generation_settings: GenerationSettings) -> None:
    """Store the settings of the next answer, to use them if the persona is removed."""
    if (
        conversation.generation_settings != (stored := generation_settings.as_stored())
        and generation_settings != GenerationSettings()
    ):
        conversation.generation_settings = stored
        conversation.save(update_fields=["generation_settings"])
