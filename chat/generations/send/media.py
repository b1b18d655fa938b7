"""Transcribe audio, synthesize speech and generate images within the member's limits."""

from collections.abc import AsyncGenerator
from typing import NamedTuple

from chat.accounts.principals import Principal
from chat.generations.billing import media_pricing
from chat.generations.billing.media_pricing import usage_at
from chat.generations.billing.pricing import amount_of
from chat.generations.send import before_send
from chat.generations.send.document_calls import Ask, T, ask_within_limits
from chat.lib.catalogue import MediaModel
from chat.upstream import factory
from chat.upstream.events import Usage
from chat.upstream.media.image_client import ImageRequest, generate_image
from chat.upstream.media.speech_client import SpeechRequest, synthesize_speech
from chat.upstream.media.transcription_client import (
    Transcription,
    TranscriptionRequest,
    transcribe,
)
from chat.upstream.rate_limit import wait_for_slot


async def transcribe_audio(
    principal: Principal,
    model: MediaModel,
    request: TranscriptionRequest,
    *,
    is_message: bool = True,
) -> Transcription:
    """Return what is said in a recording. Raise `QuotaExceeded` or `UpstreamError`.

    `is_message` says whether it counts as a message that somebody sent.
    """
    longest = media_pricing.longest_seconds(request.audio)

    async def ask() -> tuple[Transcription, Usage]:
        await wait_for_slot(model)
        transcription = await transcribe(factory.client_for(model), model, request, principal.key)
        seconds = longest if transcription.seconds is None else transcription.seconds
        return transcription, usage_at(media_pricing.transcription_usd(model, seconds))

    usd = media_pricing.transcription_usd(model, longest)
    return await _within_limits(principal, model, usd, ask, is_message=is_message)


class Sound(NamedTuple):
    """A sound that arrives in pieces, the first of which is there."""

    first: bytes
    rest: AsyncGenerator[bytes]


async def start_speech(
    principal: Principal, model: MediaModel, request: SpeechRequest, *, is_message: bool = True
) -> Sound:
    """Return the sound of a text when it begins to arrive.

    Raise `QuotaExceeded`, `UpstreamError`, or what a check of the text raises if somebody sent it.
    The price is that of the text, so it is settled with the first piece.
    """
    if is_message:
        await before_send.check_text(principal, request.text)
    usd = media_pricing.speech_usd(model, request.text)

    async def ask() -> tuple[Sound, Usage]:
        await wait_for_slot(model)
        pieces = synthesize_speech(factory.client_for(model), model, request, principal.key)
        return Sound(await anext(pieces), pieces), usage_at(usd)

    return await _within_limits(principal, model, usd, ask, is_message=is_message)


async def generate_images(
    principal: Principal,
    model: MediaModel,
    request: ImageRequest,
    count: int,
    *,
    is_message: bool = True,
) -> list[bytes]:
    """Return that many pictures. Raise `QuotaExceeded` or `UpstreamError`.

    `is_message` says whether they count as a message that somebody sent. Its text is then checked
    as a question is.
    """
    if is_message:
        await before_send.check_text(principal, request.prompt)
    usd = count * media_pricing.image_usd(model, *request.pixels, request.steps)

    async def ask() -> tuple[list[bytes], Usage]:
        pictures = []
        for _ in range(count):
            await wait_for_slot(model)
            pictures.append(
                await generate_image(factory.client_for(model), model, request, principal.key)
            )
        return pictures, usage_at(usd)

    return await _within_limits(principal, model, usd, ask, is_message=is_message)


async def _within_limits(
    principal: Principal, model: MediaModel, usd: float, ask: Ask[T], *, is_message: bool = True
) -> T:
    amount = amount_of(None, usage_at(usd))
    return await ask_within_limits(principal, model, amount, ask, is_message=is_message)
