"""Fixtures for review: rita and other staff with their permissions, and alice's and bob's chats."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.auth.models import Group, Permission
from django.db.models import QuerySet
from django.test import AsyncClient, Client
from django.utils import timezone

from chat.accounts.actor import SERVER
from chat.accounts.models import Invitation, User
from chat.conversations.images import store
from chat.conversations.images.models import MessageImage
from chat.conversations.models import Conversation, Message, Rating
from chat.evaluation.models import DatasetItem, EvaluationDataset, EvaluationRun, RunAnswer
from chat.generations.models import Generation
from chat.review.access_log.staff_actions import StaffAction
from chat.review.access_log.staff_context import StaffContext
from chat.review.case_models import Rule
from chat.review.cases import flags
from chat.review.models import ReviewScope, SavedSearch, StaffNote
from chat.review.moderation.warnings import ModerationWarning
from chat.review.rating_models import RatingForm, RatingQuestion, RatingSample
from chat.review.staff import roles
from chat.tools.mcp.models import McpServer
from chat.widget_sites.models import WidgetSite
from tests.support.review.member_pages import client_of, with_reason
from tests.support.web.signed_in import signed_in_client
from tests.support.widget.pictures import png

SENTINEL = "zephyrquartz"
Say = Callable[..., Conversation]


def give(user: User, permission: str, *members: Group | None) -> User:
    """Give `user` a permission and the scope of these groups; None is everyone."""
    user.user_permissions.add(Permission.objects.get(codename=permission))
    for group in members:
        ReviewScope.objects.create(reviewer=user, members=group)
    return User.objects.get(pk=user.pk)  # reloads the cached permissions


def recorded_actions() -> QuerySet[StaffAction]:
    """Return staff actions, without those of the fixtures, whose actor is the server."""
    return StaffAction.objects.exclude(actor=SERVER)


def staff_context_of(user: User, reason: str = "A report of today") -> StaffContext:
    reviewer = roles.reviewer_of(user)
    assert reviewer
    return StaffContext(reviewer, reason)


@pytest.fixture
def pupils(alice: User) -> Group:
    group = Group.objects.create(name="Pupils")
    alice.groups.add(group)
    return group


@pytest.fixture
def reviewer(rita: User, pupils: Group) -> User:
    """Let rita review the pupils, of whom alice is one and bob is not."""
    return give(rita, "review", pupils)


@pytest.fixture
def lead(transactional_db: None) -> User:
    lena = User.objects.create_user("lena@example.org", "tide table", name="Lena")
    return give(lena, "lead_review", None)


@pytest.fixture
def administrator(transactional_db: None) -> User:
    adam = User.objects.create_user("adam@example.org", "tide table", name="Adam")
    return give(adam, "administer_review")


@pytest.fixture
def reviewer_client(reviewer: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(reviewer)


@pytest.fixture
def lead_client(lead: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(lead)


@pytest.fixture
def administrator_client(administrator: User, stop_server_process: None) -> AsyncClient:
    return signed_in_client(administrator)


@pytest.fixture
def lead_browser(lead: User) -> Client:
    return with_reason(lead)


@pytest.fixture
def admin_browser(administrator: User) -> Client:
    return client_of(administrator)


def say(owner: User, question: str, answer: str = "", **facts: object) -> Conversation:
    """Create a conversation with a question, and an answer with `facts` of its generation."""
    conversation = Conversation.objects.create(owner=owner, title=question[:60])
    asked = conversation.messages.create(role=Message.Role.USER, text=question)
    if answer or facts:
        add_answer(asked, answer, **facts)
    return conversation


def add_answer(question: Message, answer: str, **facts: object) -> Message:
    made = question.conversation.messages.create(
        parent=question, role=Message.Role.ASSISTANT, text=answer
    )
    key = f"send-{made.pk}"
    usual = {"state": "complete", "model": "@cf/test/model", "ended_at": timezone.now()}
    Generation.objects.create(
        owner=question.conversation.owner,
        message=made,
        send_key=key,
        send_digest=key,
        **{**usual, **facts},
    )
    return made


def only_message(conversation: Conversation) -> Message:
    return conversation.messages.get(role=Message.Role.USER)


def unknown_id() -> UUID:
    return UUID(int=1)


@pytest.fixture
def hers(alice: User) -> Conversation:
    """Return a conversation of alice that contains the sentinel everywhere."""
    chat = say(alice, f"{SENTINEL} asked", f"{SENTINEL} answered", state="stopped")
    answer = chat.messages.last()
    Rating.objects.create(message=answer, user=alice, value=-1, comment=f"{SENTINEL} again")
    flags.report(chat.pk, answer, alice.pk, "other", f"{SENTINEL} reported")
    Rule.objects.create(name="A rule", kind="words", text="x", is_enabled=False)
    image = store.store(alice.pk, png())
    file = store.store_file(alice.pk, b"%PDF")
    for row in (image, file):
        MessageImage.objects.create(message=chat.messages.first(), image=row)
    return chat


def _evaluate(chat: Conversation) -> None:
    """Copy the chat's turn into a dataset, which two runs have answered; IDs are the owner's."""
    pk = chat.owner_id
    dataset = EvaluationDataset.objects.create(pk=pk, name="Questions", copied_turns=1)
    item = DatasetItem.objects.create(
        pk=pk, dataset=dataset, person_id=pk, conversation=chat, message=chat.messages.last(),
        messages=[{"role": "user", "content": f"{SENTINEL} asked"}], answer=f"{SENTINEL} answered",
    )  # fmt: skip
    for number in range(2):
        run = EvaluationRun.objects.create(
            pk=pk + number, dataset=dataset, name=f"Run {number}", max_tokens=9, state="done"
        )
        RunAnswer.objects.create(run=run, item=item, text=f"{SENTINEL} {number}")


@pytest.fixture
def staff(
    hers: Conversation, reviewer: User, lead: User, administrator: User, bob: User,
    stop_server_process: None,
) -> list[AsyncClient]:  # fmt: skip
    ben = User.objects.create_user("ben@example.org", "tide table")
    choir = Group.objects.create(name="Choir")
    McpServer.objects.create(name="Tides", slug="tides", address="http://127.0.0.1:9/mcp")
    bob.groups.add(choir)
    out_of_scope = give(ben, "review", choir)
    SavedSearch.objects.create(owner=bob, name="His")
    StaffNote.objects.create(conversation=hers, text="Nobody's")
    Invitation.objects.create(email="x@example.org", digest="x", expires_at=timezone.now())
    ModerationWarning.objects.create(person=hers.owner, text="Please mind")
    WidgetSite.objects.create(owner=hers.owner, name="Shop")
    rated = RatingForm.objects.create(name="Quality")
    RatingQuestion.objects.create(form=rated, position=0, text="How good is it?", kind="five")
    RatingSample.objects.create(form=rated, count=1, created_by=lead)
    _evaluate(hers)
    return [signed_in_client(each) for each in (reviewer, out_of_scope, lead, administrator)]
