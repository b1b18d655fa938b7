"""Ask one of two models whose answers a member compares; the other one's is a send of its own.

Each answer reserves its own cost. A member who wants to vote without names gets them in an order
of chance, so that nothing on the page tells which model has answered first.
"""

import secrets
import uuid

from chat.accounts.principals import Principal
from chat.conversations.handoff.human_handoff import HandedOffMessage
from chat.conversations.images.errors import ImagesUnsupported
from chat.errors import AllocationExhausted, ChatError, PromptTooLong, QuotaExceeded, UnknownModel
from chat.generations.model_permissions import ModelNotAllowed
from chat.generations.send.request import Send
from chat.generations.send.sent import Sent
from chat.generations.send.start import start_stored
from chat.upstream import available_models

#: Refusals that may concern one of the models only.
OF_ONE_MODEL = (
    AllocationExhausted,
    ImagesUnsupported,
    ModelNotAllowed,
    PromptTooLong,
    QuotaExceeded,
    UnknownModel,
)


async def start_first(
    principal: Principal, conversation_id: uuid.UUID | None, send: Send, tab: str = ""
) -> Sent | HandedOffMessage:
    """Store a question for two models, and start the answer of the first that isn't refused.

    If both are refused, raise the first one's error; nothing is stored then.
    """
    names = [send.model, send.compare_with]
    if send.is_blind and secrets.randbits(1):
        names.reverse()
    refusal: ChatError | None = None
    for name in names:
        try:
            model = available_models.find(name)
            return await start_stored(principal, conversation_id, send, model, tab)
        except OF_ONE_MODEL as error:
            refusal = refusal or error
    raise refusal or UnknownModel()


async def start_second(principal: Principal, first: Sent, key: str) -> Sent | HandedOffMessage:
    """Start the other answer, for a page without scripts, which sends one form for both."""
    beside = Send(key=f"{key[:62]}-2", beside=first.generation.message_id)
    model = available_models.find(None)  # the pair has the model
    return await start_stored(principal, first.conversation_id, beside, model)
