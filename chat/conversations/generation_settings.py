"""How the answers of a conversation are written.

As its persona says at the moment: who changes it, changes later answers. Once the persona is
deleted, or no longer shared with the owner, the conversation goes on as it last was.
"""

import uuid

from chat.conversations.models import Conversation
from chat.conversations.prompt import PromptMessage
from chat.personas import access
from chat.personas.models import Persona
from chat.personas.persona_settings import GenerationSettings


def begin_with(conversation: Conversation, persona_id: uuid.UUID) -> None:
    """A new conversation gets a persona that its owner may use."""
    conversation.persona = access.persona_of(conversation.owner_id, persona_id)
    conversation.save(update_fields=["persona"])


def settings_of(conversation: Conversation) -> GenerationSettings:
    if conversation.persona_id:
        mine = access.usable(Persona, conversation.owner_id)
        if persona := mine.filter(pk=conversation.persona_id).first():
            return GenerationSettings.of(persona)
    return GenerationSettings.read(conversation.generation_settings)


def told_first(generation_settings: GenerationSettings) -> list[PromptMessage]:
    """What the model reads before all that is said."""
    return (
        [PromptMessage("system", generation_settings.system_prompt)]
        if generation_settings.system_prompt
        else []
    )


def keep_settings(conversation: Conversation, generation_settings: GenerationSettings) -> None:
    """What the next answer is written by is what remains, should the persona go."""
    if (
        conversation.generation_settings != (stored := generation_settings.as_stored())
        and generation_settings != GenerationSettings()
    ):
        conversation.generation_settings = stored
        conversation.save(update_fields=["generation_settings"])
