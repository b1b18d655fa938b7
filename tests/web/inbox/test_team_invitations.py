"""Nobody is in a team before they have accepted the invitation."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.core import mail
from django.test import AsyncClient
from django.utils import timezone

from chat.accounts.models import User
from chat.web.inbox.views import team as team_views
from chat.widget_sites import team
from chat.widget_sites.models import SiteMember, TeamInvitation, WidgetSite
from tests.support.web.signed_in import signed_in_client


@pytest.fixture(autouse=True)
def _confirmed(bob: User) -> None:
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)


async def invite(client: AsyncClient, shop: WidgetSite, email: str, role: str = "agent") -> int:
    """Return the status of the response."""
    path = f"/sites/{shop.key}/team/"
    return (await client.post(path, {"email": email, "role": role})).status_code


async def shown(client: AsyncClient, path: str) -> str:
    return (await client.get(path)).content.decode().replace("&#x27;", "'")


async def test_an_invitation_is_accepted_and_opens_the_inbox(
    alice_client: AsyncClient, bob_client: AsyncClient, shop: WidgetSite
) -> None:
    assert await invite(alice_client, shop, " Bob@Example.org ") == 302
    invitation = await TeamInvitation.objects.aget()
    assert "bob@example.org" in await shown(alice_client, f"/sites/{shop.key}/team/")
    assert (await bob_client.get(f"/sites/{shop.key}/inbox/")).status_code == 404
    page = await shown(bob_client, "/sites/")
    assert shop.name in page
    assert "as an agent" in page
    done = await bob_client.post(f"/sites/invitations/{invitation.pk}/acceptance/")
    assert (await bob_client.get(done["Location"])).status_code == 200
    member = await SiteMember.objects.select_related("user").aget()
    assert (member.user.email, member.role) == ("bob@example.org", "agent")
    assert not await TeamInvitation.objects.aexists()


async def test_an_invitation_does_not_reach_who_owns_a_similar_address(
    alice_client: AsyncClient, shop: WidgetSite, transactional_db: None
) -> None:
    """On PostgreSQL, `ı` has the upper case of `i`, and domains with it can be bought."""
    mallory = await sync_to_async(User.objects.create_user)("dana@m\u0131st.example")
    address = {"email": mallory.email, "verified": True, "primary": True}
    await EmailAddress.objects.acreate(user=mallory, **address)
    await invite(alice_client, shop, "dana@mist.example")
    invitation = await TeamInvitation.objects.aget()
    client = await sync_to_async(signed_in_client)(mallory)
    assert shop.name not in await shown(client, "/sites/")
    done = await client.post(f"/sites/invitations/{invitation.pk}/acceptance/")
    assert done.status_code == 404


async def test_a_declined_invitation_is_shown_and_can_be_repeated(
    alice_client: AsyncClient, bob_client: AsyncClient, shop: WidgetSite
) -> None:
    await invite(alice_client, shop, "bob@example.org", "owner")
    path = f"/sites/invitations/{(await TeamInvitation.objects.aget()).pk}"
    assert "as an owner" in await shown(bob_client, "/sites/")
    assert (await bob_client.post(f"{path}/refusal/")).status_code == 302
    assert shop.name not in await shown(bob_client, "/sites/")
    assert (await bob_client.post(f"{path}/acceptance/")).status_code == 404
    assert "declined the invitation" in await shown(alice_client, f"/sites/{shop.key}/team/")
    await invite(alice_client, shop, "bob@example.org")
    assert (await bob_client.post(f"{path}/acceptance/")).status_code == 302


async def test_an_invitation_stays_with_its_account_when_the_address_changes_hands(
    alice_client: AsyncClient, bob_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    await invite(alice_client, shop, bob.email)
    await User.objects.filter(pk=bob.pk).aupdate(email="robert@example.org")
    await EmailAddress.objects.filter(user=bob).aupdate(email="robert@example.org")
    other = await sync_to_async(User.objects.create_user)("bob@example.org", "open sesame")
    await EmailAddress.objects.acreate(user=other, email=other.email, verified=True)
    client = await sync_to_async(signed_in_client)(other)
    path = f"/sites/invitations/{(await TeamInvitation.objects.aget()).pk}/acceptance/"
    assert (await client.post(path)).status_code == 404
    assert (await bob_client.post(path)).status_code == 302


async def test_an_account_with_an_unconfirmed_address_gets_no_invitation(
    alice_client: AsyncClient, bob_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    """Anybody may have signed up with the address, before or after the invitation."""
    await EmailAddress.objects.filter(user=bob).aupdate(verified=False)
    await invite(alice_client, shop, bob.email)
    path = f"/sites/invitations/{(await TeamInvitation.objects.aget()).pk}/acceptance/"
    page = await shown(bob_client, "/sites/")
    assert shop.name not in page
    assert "after you confirm your email address" in page
    assert 'href="/accounts/email/"' in page
    assert (await bob_client.post(path)).status_code == 404
    await EmailAddress.objects.filter(user=bob).aupdate(verified=True)
    assert "after you confirm" not in await shown(bob_client, "/sites/")
    assert (await bob_client.post(path)).status_code == 302


async def test_a_withdrawn_or_expired_invitation_is_not_found(
    alice_client: AsyncClient, bob_client: AsyncClient, shop: WidgetSite
) -> None:
    await invite(alice_client, shop, "bob@example.org")
    invitation = await TeamInvitation.objects.aget()
    long_ago = timezone.now() - timedelta(days=TeamInvitation.VALID_DAYS, minutes=1)
    await TeamInvitation.objects.aupdate(sent_at=long_ago)
    path = f"/sites/invitations/{invitation.pk}/acceptance/"
    assert (await bob_client.post(path)).status_code == 404
    team_page = f"/sites/{shop.key}/team/"
    assert "invitation expired" in await shown(alice_client, team_page)
    await TeamInvitation.objects.aupdate(sent_at=timezone.now())
    away = f"{team_page}invitations/{invitation.pk}/withdrawal/"
    assert (await bob_client.post(away)).status_code == 404
    assert (await alice_client.post(away)).status_code == 302
    assert (await bob_client.post(path)).status_code == 404


async def test_an_invitation_says_nothing_about_accounts(
    alice_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    for email in (bob.email, "nobody@example.org"):
        assert await invite(alice_client, shop, email) == 302
    known, unknown = mail.outbox
    assert (known.to, unknown.to) == ([bob.email], ["nobody@example.org"])
    assert known.subject == unknown.subject
    assert known.body == unknown.body.replace("nobody@example.org", bob.email)
    assert shop.name not in known.body  # nothing that somebody could advertise with
    page = await shown(alice_client, f"/sites/{shop.key}/team/")
    assert page.count("invited on") == 2


async def test_who_signs_up_with_an_invited_address_accepts_once_it_is_confirmed(
    alice_client: AsyncClient, shop: WidgetSite
) -> None:
    await invite(alice_client, shop, "Carol@example.org")
    carol = await sync_to_async(User.objects.create_user)("carol@example.org", "open sesame")
    client = await sync_to_async(signed_in_client)(carol)
    typed = await EmailAddress.objects.acreate(user=carol, email=carol.email, primary=True)
    path = f"/sites/invitations/{(await TeamInvitation.objects.aget()).pk}/acceptance/"
    assert shop.name not in await shown(client, "/sites/")  # anybody could have typed it
    assert (await client.post(path)).status_code == 404
    typed.verified = True
    await typed.asave()
    assert "/sites/" in await shown(client, "/settings/")
    assert (await client.post(path)).status_code == 302
    assert await SiteMember.objects.filter(user=carol).aexists()


@pytest.mark.parametrize(
    ("email", "words"),
    [
        ("alice@example.org", "already in the team"),
        ("", "This field is required"),
        ("not an address", "Enter a valid email address"),
    ],
)
async def test_an_address_that_cannot_be_invited_is_explained(
    alice_client: AsyncClient, shop: WidgetSite, email: str, words: str
) -> None:
    refused = await alice_client.post(f"/sites/{shop.key}/team/", {"email": email, "role": "agent"})
    assert refused.status_code == 422
    text = refused.content.decode().replace("&#x27;", "'")
    assert words in text
    assert f'value="{email}"' in text or not email
    assert mail.outbox == []


async def test_members_and_invitations_together_have_a_limit(
    alice_client: AsyncClient, bob_client: AsyncClient, bob: User, shop: WidgetSite
) -> None:
    await invite(alice_client, shop, bob.email)
    people = await User.objects.abulk_create(
        [User(email=f"one{number}@example.org") for number in range(team.MAX_MEMBERS - 1)]
    )
    await SiteMember.objects.abulk_create([SiteMember(site=shop, user=each) for each in people])
    asked = {"email": "carol@example.org", "role": "agent"}
    refused = await alice_client.post(f"/sites/{shop.key}/team/", asked)
    assert refused.status_code == 422
    assert "reached its limit" in refused.content.decode()
    await SiteMember.objects.acreate(site=shop, user=await User.objects.acreate(email="x@y.org"))
    path = f"/sites/invitations/{(await TeamInvitation.objects.aget()).pk}/acceptance/"
    page = (await bob_client.post(path, follow=True)).content.decode()
    assert "reached its limit" in page


async def test_invitations_are_limited_because_each_is_a_mail(
    shop: WidgetSite, alice_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_views, "INVITATIONS_PER_HOUR", 2)
    statuses = [await invite(alice_client, shop, "carol@example.org") for _ in range(3)]
    assert statuses == [302, 302, 429]


async def test_old_invitations_are_removed(shop: WidgetSite) -> None:
    long_ago = timezone.now() - timedelta(days=2 * TeamInvitation.VALID_DAYS, minutes=1)
    await shop.invitations.acreate(email="bob@example.org", role="agent", sent_at=long_ago)
    await shop.invitations.acreate(email="carol@example.org", role="agent")
    await sync_to_async(team.remove_expired_invitations)()
    assert [each.email async for each in shop.invitations.all()] == ["carol@example.org"]
