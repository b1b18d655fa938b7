"""Ask the default model one short question, and watch whether its tokens stream."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from django.conf import settings
from django.db import DatabaseError

from chat.conversations.prompt import PromptMessage
from chat.doctor.check_result import CheckResult, DoctorOptions
from chat.errors import (
    AllocationExhausted,
    CreditExhausted,
    ModelRemoved,
    NotConfigured,
    UpstreamBusy,
    UpstreamError,
    UpstreamTimeout,
    UpstreamUnreachable,
)
from chat.generations.billing.pricing import cost_usd
from chat.lib.catalogue import Model
from chat.site_settings import stored_settings
from chat.upstream import available_models, factory
from chat.upstream.catalogue import current as current_catalogue
from chat.upstream.events import Finished, Reasoning, Text, Usage
from chat.upstream.failover import ask_with_failover
from chat.upstream.request import CompletionRequest

NAME = "Model"
QUESTION = "Count from one to twenty, in words."
MAX_TOKENS = 120
#: Shorter answers arrive in one piece even from models that stream.
STREAMED_PIECES = 3
#: No model writes that many tokens in this time.
AT_ONCE_SECONDS = 0.005

ADVICE: list[tuple[type[UpstreamError], str]] = [
    (NotConfigured, "Compare CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN with the provider's."),
    (AllocationExhausted, "Wait for the provider's next day, or change to a paid plan."),
    (CreditExhausted, "Buy credit from the provider."),
    (ModelRemoved, "Set DEFAULT_MODEL to a model that the provider still has."),
    (UpstreamBusy, "Try again later, or set FALLBACK_MODEL."),
    (UpstreamUnreachable, "Look at WORKERS_AI_BASE_URL, DNS and the firewall."),
    (UpstreamTimeout, "Look at the provider's status page, and at UPSTREAM_FIRST_BYTE_SECONDS."),
]


@dataclass(slots=True)
class _Answer:
    pieces: list[float] = field(default_factory=list)  # seconds from the request
    usage: Usage | None = None
    is_complete: bool = False

    @property
    def span_seconds(self) -> float:
        """The time from the first piece to the last."""
        return self.pieces[-1] - self.pieces[0] if self.pieces else 0.0


def check_model(_options: DoctorOptions) -> Iterator[CheckResult]:
    with suppress(DatabaseError):  # another check reports it
        stored_settings.refresh()
        current_catalogue.refresh()
    model = available_models.find(None)
    try:
        answer = asyncio.run(_ask(model))
    except UpstreamError as error:
        words = f"{model.id} doesn't answer: {error.public} ({error.code})"
        advice = next((text for kind, text in ADVICE if isinstance(error, kind)), "")
        advice = advice or "Look at the provider's status page, and at DEFAULT_MODEL."
        yield CheckResult(NAME, "problem", words, advice, {"model": model.id, "code": error.code})
        return
    yield _verdict(model, answer)


async def _ask(model: Model) -> _Answer:
    request = CompletionRequest([PromptMessage("user", QUESTION)], model.id, MAX_TOKENS)
    answer, began = _Answer(), time.monotonic()
    try:
        asking = ask_with_failover(
            request, factory.client_for, model, None, settings.UPSTREAM_RETRIES
        )
        async with aclosing(asking) as events:
            async for event in events:
                if isinstance(event, Text | Reasoning):
                    answer.pieces.append(time.monotonic() - began)
                elif isinstance(event, Finished):
                    answer.usage, answer.is_complete = event.usage, event.complete
    finally:
        await factory.close()
    return answer


def _verdict(model: Model, answer: _Answer) -> CheckResult:
    dollars = cost_usd(model, answer.usage)
    facts = {
        "model": model.id,
        "pieces": len(answer.pieces),
        "first_seconds": round(answer.pieces[0], 3) if answer.pieces else None,
        "last_seconds": round(answer.pieces[-1], 3) if answer.pieces else None,
        "cost_usd": dollars,
    }
    if not answer.pieces:
        advice = "Ask it yourself in a chat, and compare DEFAULT_MODEL with the provider's list."
        return CheckResult(NAME, "problem", f"{model.id} answered without text.", advice, facts)
    cost = "at an unknown cost" if dollars is None else f"for ${dollars:.6f}"
    tokens = (
        f"{answer.usage.total_tokens} tokens" if answer.usage else "an unknown number of tokens"
    )
    summary = f"{model.id} answered after {answer.pieces[0]:.2f} s, in {len(answer.pieces)} pieces"
    message = f"{summary}, {tokens} {cost}."
    if not answer.is_complete:
        return CheckResult(NAME, "warning", f"{message} The end was missing.", "Try again.", facts)
    if factory.uses_emulator(model.provider):
        advice = "Connect a model in Site settings, or set CLOUDFLARE_ACCOUNT_ID and _API_TOKEN."
        return CheckResult(
            NAME, "warning", f"The built-in emulator answers: {message}", advice, facts
        )
    if len(answer.pieces) < STREAMED_PIECES or answer.span_seconds < AT_ONCE_SECONDS:
        advice = "Look at what is between this machine and the provider: a gateway may buffer."
        return CheckResult(NAME, "warning", f"{message} They arrived all at once.", advice, facts)
    return CheckResult(NAME, "ok", message, facts=facts)
