"""A deleted account keeps only the chat that staff hold, not all that it had."""

import pytest
from django.contrib.auth.models import Group

from chat.accounts.models import User
from chat.api_keys.models import ApiKey
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import start_conversation
from chat.evaluation.models import (
    BlindVote,
    DatasetItem,
    EvaluationDataset,
    EvaluationRun,
    RunAnswer,
)
from chat.generations.deletion.purge import KEPT_OF_SITES, KEPT_WITH_CHATS, cascading_to
from chat.generations.deletion.soft_delete import delete_account, delete_site
from chat.generations.pairs.models import AnswerPair, PairVote
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.review.case_models import Rule
from chat.review.cases import flags
from chat.review.cases.holds import LegalHold, hold
from chat.review.models import ConversationStats
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
from chat.widget_sites import visitors
from chat.widget_sites.models import WidgetSite
from tests.sharing.conftest import ask
from tests.support.generations.purge import sweep

SECRET = "a word of alice's"


def everything_of(alice: User) -> Conversation:
    """Let alice have one of each kind, and report one of her two chats; return that one."""
    persona = Persona.objects.create(owner=alice, name=SECRET, system_prompt=SECRET)
    Prompt.objects.create(owner=alice, name=SECRET, text=SECRET)
    project = Project.objects.create(owner=alice, name=SECRET, instructions=SECRET)
    tag = ChatTag.objects.create(owner=alice, name=SECRET, folded_name=SECRET)
    ApiKey.objects.create(owner=alice, name=SECRET, digest="x")
    WidgetSite.objects.create(owner=alice, name=SECRET)
    shared, held = (start_conversation(alice.pk) for _ in range(2))
    ask(shared, "What is water?", SECRET)
    make(shared, Choices())
    Conversation.objects.filter(pk=held.pk).update(persona=persona, project=project)
    held.tags.add(tag)
    question = held.messages.create(role="user", text="A dangerous one")
    for digest in ("used", "unused"):
        image = StoredImage.objects.create(
            owner=alice, digest=digest, kind="png", width=1, height=1, size_bytes=1, content=b"x"
        )
        if digest == "used":
            MessageImage.objects.create(message=question, image=image)
    flags.report(held.pk, None, alice.pk, "harmful", "")
    return held


def left_of(alice: User) -> set[str]:
    kinds = (Persona, Prompt, Project, ChatTag, ApiKey, WidgetSite, SharedLink)
    return {kind.__name__ for kind in kinds if kind._base_manager.exists()}


def test_a_report_keeps_its_chat_and_nothing_else(alice: User) -> None:
    held = everything_of(alice)
    delete_account(alice)
    sweep()
    assert left_of(alice) == set()
    assert [each.pk for each in Conversation.all_objects.all()] == [held.pk]
    assert [each.text for each in Message.objects.all()] == ["A dangerous one"]
    assert [each.digest for each in StoredImage.objects.all()] == ["used"]
    assert sweep() >= 0  # again and again, as long as the chat is held
    LegalHold.objects.all().delete()
    Conversation.all_objects.update(held_at=None)
    sweep()
    assert not User.objects.filter(pk=alice.pk).exists()
    assert not StoredImage.objects.exists()


def test_an_account_that_is_not_deleted_keeps_all(alice: User) -> None:
    everything_of(alice)
    sweep()
    assert len(left_of(alice)) == 7
    assert Conversation.objects.count() == 2


@pytest.mark.parametrize(("model", "kept"), [(User, KEPT_WITH_CHATS), (WidgetSite, KEPT_OF_SITES)])
def test_every_model_that_is_kept_refers_to_accounts_or_websites(
    model: type[User] | type[WidgetSite], kept: frozenset[str]
) -> None:
    assert {each.related_model._meta.label for each in cascading_to(model)} >= kept


def test_what_an_account_gave_to_evaluations_goes_though_a_chat_is_held(
    alice: User, bob: User
) -> None:
    held = everything_of(alice)
    dataset = EvaluationDataset.objects.create(name="Tides", created_by=bob)
    copied = DatasetItem.objects.create(dataset=dataset, person=alice, messages=[], answer=SECRET)
    written = DatasetItem.objects.create(dataset=dataset, messages=[])
    runs = [EvaluationRun.objects.create(dataset=dataset, name="A", max_tokens=1) for _ in "ab"]
    RunAnswer.objects.create(run=runs[0], item=copied, text=SECRET)
    for rater in (alice, bob):
        BlindVote.objects.create(
            item=written, first=runs[0], second=runs[1], rater=rater, choice="tie"
        )
        PairVote.objects.create(
            user=rater, pair=rater.pk, model_a="a", model_b="b", verdict=AnswerPair.Verdict.A_BETTER
        )
    delete_account(alice)
    sweep()
    assert [each.pk for each in Conversation.all_objects.all()] == [held.pk]
    assert [each.pk for each in DatasetItem.objects.all()] == [written.pk]
    assert not RunAnswer.objects.exists()
    assert [each.rater for each in BlindVote.objects.all()] == [bob]
    assert [each.user for each in PairVote.objects.all()] == [bob]


def test_who_may_review_a_held_chat_stays_the_same(alice: User) -> None:
    choir = Group.objects.create(name="Choir")
    alice.groups.add(choir)
    held = everything_of(alice)
    delete_account(alice)
    sweep()
    assert list(Conversation.all_objects.filter(owner__groups=choir)) == [held]
    assert ConversationStats.objects.filter(conversation=held).exists()


def test_rules_of_a_deleted_website_stay_with_the_chats_that_they_found(alice: User) -> None:
    site = WidgetSite.objects.create(owner=alice, name="Shop")
    Rule.objects.create(name="Water", kind="words", text="water", site=site)
    held = start_conversation(visitors.find_by_subject(site, "vera", "Vera").user_id)
    hold(held.pk)
    delete_site(site)
    sweep()
    assert Rule.objects.filter(site=site).exists()
