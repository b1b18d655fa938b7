"""Owners upload a logo and an avatar, which only the chat's frame shows."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from chat.accounts.models import User
from chat.widget_sites.look import pictures
from chat.widget_sites.look.widget_look import WidgetLook
from chat.widget_sites.models import SitePicture, WidgetSite
from tests.support.web.signed_in import signed_in
from tests.support.widget.pictures import png
from tests.support.widget.visitor_client import make_site

pytestmark = pytest.mark.django_db


def file(content: bytes, name: str = "logo.png", kind: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, kind)


def saved(client: Client, shop: WidgetSite, **sent: Any) -> WidgetLook:
    assert client.post(f"/sites/{shop.key}/look/", sent).status_code == 302
    shop.refresh_from_db()
    return WidgetLook.of(shop)


def test_a_picture_is_uploaded_shown_in_the_frame_and_removed(
    browser: Client, shop: WidgetSite
) -> None:
    logo, avatar = png(120, 40), png(64, 64)
    look = saved(browser, shop, logo_file=file(logo), avatar_file=file(avatar))
    path = f"/w/{shop.key}/pictures/{look.logo}"
    frame = Client().get(f"/w/{shop.key}/").content.decode()
    assert f'class="site-logo" src="{path}"' in frame
    assert f'class="avatar" src="/w/{shop.key}/pictures/{look.avatar}"' in frame
    answer = Client().get(path)
    assert answer.content == logo
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert not answer.cookies
    page = browser.get(f"/sites/{shop.key}/look/").content.decode()
    assert f'name="logo" value="{look.logo}"' in page

    left = saved(browser, shop, logo=look.logo, avatar=look.avatar, remove_logo="on")
    assert (left.logo, left.avatar) == ("", look.avatar)
    assert Client().get(path).status_code == 404
    assert SitePicture.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "PNG, JPEG or WebP"),
        (b"", "PNG, JPEG or WebP"),
        (png(2, 2, b"acTL"), "animated"),
        (png(1025, 2), "1024 pixels"),
        (png() + b"\0" * pictures.MAX_KILOBYTES * 1024, "100 KB"),
    ],
)
def test_what_is_no_small_picture_is_refused_by_its_content(
    browser: Client, shop: WidgetSite, content: bytes, words: str
) -> None:
    sent = {"logo_file": file(content, "logo.png", "image/png")}
    refused = browser.post(f"/sites/{shop.key}/look/", sent)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert not SitePicture.objects.exists()


def test_pictures_belong_to_their_site(browser: Client, shop: WidgetSite, bob: User) -> None:
    look = saved(browser, shop, logo_file=file(png()))
    others = make_site(bob)
    assert Client().get(f"/w/{others.key}/pictures/{look.logo}").status_code == 404
    stolen = saved(signed_in(bob), others, logo=look.logo)
    assert stolen.logo == ""
    shop.is_suspended = True
    shop.save()
    assert Client().get(f"/w/{shop.key}/pictures/{look.logo}").status_code == 404


def test_pictures_that_are_tried_out_do_not_pile_up(browser: Client, shop: WidgetSite) -> None:
    look = saved(browser, shop, avatar_file=file(png()), logo_file=file(png(9, 9)))
    for width in range(3, 3 + 2 * pictures.MAX_TRIED):
        sent = {"logo_file": file(png(width)), "avatar": look.avatar}
        tried = browser.post(f"/sites/{shop.key}/look/draft/", sent).json()["pictures"]
        assert tried["avatar"] == look.avatar
    kept = set(shop.pictures.values_list("digest", flat=True))
    assert len(kept) == pictures.MAX_TRIED + 2
    assert {look.avatar, look.logo, tried["logo"]} <= kept  # websites still show the saved ones
    saved(browser, shop, **tried)
    assert set(shop.pictures.values_list("digest", flat=True)) == {look.avatar, tried["logo"]}
