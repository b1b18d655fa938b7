"""Helpers for the tests of access control."""

import time

from django.contrib.auth.models import Group
from django.http.response import HttpResponseBase
from django.test import AsyncClient

from chat.accounts.models import Invitation
from chat.conversations.images.models import StoredImage
from chat.conversations.models import Conversation
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun
from chat.generations.models import Generation
from chat.review.case_models import Case, Rule
from chat.review.models import SavedSearch, StaffNote
from chat.review.moderation.warnings import ModerationWarning
from chat.review.rating_models import RatingForm, RatingSample
from chat.tools.mcp.models import McpServer
from chat.web.review.http.reasons import SESSION_KEY
from chat.widget_sites.models import WidgetSite


async def state_reason(client: AsyncClient) -> None:
    """Store a reason for access, as the reason page does."""
    session = await client.asession()
    await session.aset(SESSION_KEY, {"reason": "A report of today", "until": time.time() + 600})
    await session.asave()


def path_to(route: str, chat: Conversation) -> str:
    note, view = StaffNote.objects.get(), SavedSearch.objects.get()
    return (
        "/" + route.replace("{conversation}", str(chat.pk))
        .replace("{message}", str(chat.messages.first().pk))
        .replace("{person}", str(chat.owner_id))
        .replace("{warning}", str(ModerationWarning.objects.get().pk))
        .replace("{site}", WidgetSite.objects.get().key)
        .replace("{note}", str(note.pk))
        .replace("{view}", str(view.pk))
        .replace("{name}.{kind}", "people.csv")
        .replace("{kind}/{key}", f"person/{chat.owner_id}")
        .replace("{user}", str(chat.owner_id))
        .replace("{api_key}", "1")
        .replace("{service_key}", "1")
        .replace("{request}", "1")
        .replace("{group}", str(Group.objects.get(name="Choir").pk))
        .replace("{server}", str(McpServer.objects.values_list("pk", flat=True).first()))
        .replace("{invitation}", str(Invitation.objects.get().pk))
        .replace("{form}", str(RatingForm.objects.get().pk))
        .replace("{sample}", str(RatingSample.objects.values_list("pk", flat=True).first()))
        .replace("{case}", str(Case.objects.get().pk))
        .replace("{rule}", str(Rule.objects.values_list("pk", flat=True).first()))
        .replace("{kind}", "csv")
        .replace("{dataset}", str(EvaluationDataset.objects.values_list("pk", flat=True).first()))
        .replace("{run}", str(_runs()[0])).replace("{one}", str(_runs()[0]))
        .replace("{other}", str(_runs()[1]))
        .replace("{pair}", "1")
        .replace("{item}", str(DatasetItem.objects.values_list("pk", flat=True).first()))
        .replace("{model}", "@cf/meta/llama-3.2-1b-instruct")
        .replace("{digest}", StoredImage.objects.images().get().digest)
        .replace("{file}", StoredImage.objects.files().get().digest)
        .replace("{generation}", str(Generation.objects.get().pk))
    )  # fmt: skip


def _runs() -> list[int | None]:
    """Return the IDs of two runs, or nothing in place of them."""
    return [*EvaluationRun.objects.order_by("id").values_list("pk", flat=True), None, None]


async def body_of(response: HttpResponseBase) -> str:
    if response.streaming:
        pieces = [piece async for piece in response]  # type: ignore[attr-defined]
        return b"".join(pieces).decode(errors="replace")  # some files are compressed
    return str(response.content.decode(errors="replace"))  # type: ignore[attr-defined]
