"""Staff read the instructions of a project where they read a chat that was answered with them."""

from django.test import AsyncClient

from chat.conversations.models import Conversation
from chat.projects.models import Project
from chat.review.models import AccessLogEntry
from tests.support.review.reason_for_access import begin, page


async def test_staff_see_what_the_model_was_told_even_once_the_project_is_gone(
    hers: Conversation, reviewer_client: AsyncClient
) -> None:
    project = await Project.objects.acreate(owner_id=hers.owner_id, name="Homework")
    stored = {"project_instructions": "Never cite <sources>."}
    found = Conversation.objects.filter(pk=hers.pk)
    await found.aupdate(project=project, generation_settings=stored)
    await project.adelete()
    await begin(reviewer_client)
    before = await AccessLogEntry.objects.acount()
    shown = await page(reviewer_client, f"/review/{hers.pk}/")
    assert "Instructions sent with the latest answer" in shown
    assert "Never cite &lt;sources&gt;." in shown
    assert await AccessLogEntry.objects.acount() > before


async def test_a_chat_outside_of_projects_shows_none(
    hers: Conversation, reviewer_client: AsyncClient
) -> None:
    await begin(reviewer_client)
    shown = await page(reviewer_client, f"/review/{hers.pk}/")
    assert "Instructions sent with the latest answer" not in shown
