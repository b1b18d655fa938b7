"""The admin wears the site's style and words, and tells members that it isn't for them."""

import pytest
from django.test import AsyncClient

from chat.accounts.models import User


@pytest.mark.parametrize("path", ["/admin/", "/admin/chat/user/", "/admin/login/?next=/admin/"])
async def test_a_member_reads_that_they_have_no_permission(
    alice_client: AsyncClient, path: str
) -> None:
    response = await alice_client.get(path, headers={"accept": "text/html"})
    page = response.content.decode()
    assert response.status_code == 403
    assert "You don&#x27;t have permission to use the Administration pages." in page
    assert "ask an administrator of this site" in page
    assert 'type="password"' not in page


async def test_somebody_who_is_not_signed_in_gets_the_sites_own_form(
    anonymous_client: AsyncClient,
) -> None:
    response = await anonymous_client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/accounts/login/?next=")


async def test_staff_see_the_sites_words(rita: User, rita_client: AsyncClient) -> None:
    page = (await rita_client.get("/admin/")).content.decode()
    for words in ("Administration – Runnel", "Back to chat", "Sign out", "css/admin.css"):
        assert words in page
    for words in ("Django", "Log out", "View site", "Welcome"):
        assert words not in page


async def test_the_admins_tables_have_the_names_of_the_pages(
    rita: User, rita_client: AsyncClient
) -> None:
    rita.is_superuser = True
    await rita.asave()
    page = (await rita_client.get("/admin/", headers={"accept-language": "de"})).content.decode()
    assert "Websites" in page
    assert "Personen" in page
    for words in ("Widget sites", "Users"):
        assert words not in page


async def test_the_admin_follows_the_members_theme(rita: User, rita_client: AsyncClient) -> None:
    scheme = '<meta name="color-scheme" content="{}">'
    assert scheme.format("light dark") in (await rita_client.get("/admin/")).content.decode()
    rita.preferences = {"theme": "dark"}
    await rita.asave()
    assert scheme.format("dark") in (await rita_client.get("/admin/")).content.decode()
