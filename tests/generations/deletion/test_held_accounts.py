"""A deleted account keeps only the chat that staff hold, not all that it had."""

from django.db.models import CASCADE

from chat.accounts.models import User
from chat.api_keys.models import ApiKey
from chat.conversations.images.models import MessageImage, StoredImage
from chat.conversations.models import Conversation, Message
from chat.conversations.turns import start_conversation
from chat.generations.deletion.purge import KEPT_WITH_CHATS
from chat.generations.deletion.soft_delete import delete_account
from chat.personas.models import Persona, Prompt
from chat.projects.models import ChatTag, Project
from chat.review.cases import flags
from chat.review.cases.holds import LegalHold
from chat.sharing.links import Choices, make
from chat.sharing.models import SharedLink
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


def test_every_model_that_is_kept_refers_to_accounts() -> None:
    labels = {
        each.related_model._meta.label
        for each in User._meta.related_objects
        if each.on_delete is CASCADE
    }
    assert labels >= KEPT_WITH_CHATS
