"""Continue a shared chat in a copy that is independent of the original."""

import pytest
from django.test import AsyncClient, Client

from chat.accounts.models import User
from chat.conversations import turns
from chat.conversations.models import Conversation, Message
from chat.generations.models import Generation
from chat.quotas.models import Charge
from chat.sharing.links import make
from chat.sharing.models import SharedLink
from tests.sharing.conftest import ALL, page_of
from tests.support.generations.send import send
from tests.support.generations.stream_reader import read_stream


@pytest.mark.django_db
def test_a_member_gets_a_copy_of_their_own(
    bob: User, bob_browser: Client, conversation: Conversation
) -> None:
    link = make(conversation, ALL)
    path = f"/s/{link.token}/continuation/"
    charges, generations = Charge.objects.count(), Generation.objects.count()
    assert "What is water?" in bob_browser.get(path).content.decode()
    answer = bob_browser.post(path)
    own = Conversation.objects.get(owner=bob)
    assert answer["Location"] == f"/chat/{own.pk}/"
    assert own.title == "What is water?"
    copied = turns.path_of(own.messages.order_by("id").last())
    original = turns.path_of(conversation.messages.order_by("id").last())
    assert [(m.role, m.text, m.reasoning) for m in copied] == [
        (m.role, m.text, m.reasoning) for m in original
    ]
    assert not {m.pk for m in copied} & {m.pk for m in original}
    assert (Charge.objects.count(), Generation.objects.count()) == (charges, generations)
    page = bob_browser.get(answer["Location"]).content.decode()
    assert page.count('data-state="complete"') == 2


async def test_the_copy_can_be_continued_and_the_original_is_unchanged(
    alice: User, bob: User, alice_client: AsyncClient, bob_client: AsyncClient
) -> None:
    first = await send(alice_client, text="What is water?")
    await read_stream(first)
    conversation = await Conversation.objects.aget(pk=first["X-Conversation-Id"])
    await alice_client.post(f"/chat/{conversation.pk}/sharing/", {"last": first["X-Message-Id"]})
    link = await SharedLink.objects.aget()
    place = (await bob_client.post(f"/s/{link.token}/continuation/"))["Location"]
    answer = await send(bob_client, place.split("/")[2], text="And ice?")
    await read_stream(answer)
    assert await Message.objects.filter(conversation__owner=bob).acount() == 4
    assert await Message.objects.filter(conversation__owner=alice).acount() == 2
    assert (await alice_client.get(place)).status_code == 404


@pytest.mark.django_db
def test_signed_out_readers_sign_in_first_and_return(link: SharedLink) -> None:
    path = f"/s/{link.token}/continuation/"
    assert "Sign in to continue from here" in page_of(link)
    assert Client().get(path)["Location"] == f"/accounts/login/?next={path}"
    assert Client().post(path)["Location"].startswith("/accounts/login/")
    assert Conversation.objects.count() == 1


@pytest.mark.django_db
def test_the_confirmation_page_sends_its_origin(bob_browser: Client, link: SharedLink) -> None:
    """Under `no-referrer` browsers send `Origin: null`, which Django refuses."""
    answer = bob_browser.get(f"/s/{link.token}/continuation/")
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Robots-Tag"].startswith("noindex")


@pytest.mark.django_db
def test_unshared_details_are_not_copied(bob: User, bob_browser: Client, link: SharedLink) -> None:
    bob_browser.post(f"/s/{link.token}/continuation/")
    found = Message.objects.filter(conversation__owner=bob)
    assert set(found.values_list("reasoning", flat=True)) == {""}


@pytest.mark.django_db
def test_a_revoked_link_cannot_be_copied(bob: User, bob_browser: Client, link: SharedLink) -> None:
    path = f"/s/{link.token}/continuation/"
    link.delete()
    assert bob_browser.get(path).status_code == 404
    assert bob_browser.post(path).status_code == 404
    assert not Conversation.objects.filter(owner=bob).exists()
