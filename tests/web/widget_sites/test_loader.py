"""/w.js and what it loads: small scripts for all websites, cached by browsers."""

import gzip

from django.test import Client

MAX_BYTES = 2.5 * 1024  # as it is sent


def test_the_loader_is_small_and_complete() -> None:
    answer = Client().get("/w.js", headers={"Accept-Encoding": "gzip, br"})
    assert answer.status_code == 200
    assert len(answer.content) <= MAX_BYTES
    plain = Client().get("/w.js")
    assert plain.headers.get("Content-Encoding") is None
    assert gzip.decompress(answer.content) == plain.content
    assert b"Runnel" in plain.content


def test_what_it_loads_is_a_module_for_any_website() -> None:
    answer = Client().get("/w-panel.js", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Access-Control-Allow-Origin"] == "*"  # modules are always fetched with CORS
    assert b"export" in gzip.decompress(answer.content)
    assert answer["ETag"] != Client().get("/w.js", headers={"Accept-Encoding": "gzip"})["ETag"]


def test_the_loader_is_cached_for_an_hour_and_then_revalidated() -> None:
    first = Client().get("/w.js")
    assert first["Cache-Control"] == "public, max-age=3600"
    assert first["Content-Type"].startswith("text/javascript")
    again = Client().get("/w.js", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    zipped = Client().get("/w.js", headers={"Accept-Encoding": "gzip"})
    assert zipped["ETag"] != first["ETag"]
    assert "Accept-Encoding" in zipped["Vary"]


def test_any_website_may_load_it_and_it_sets_no_cookie() -> None:
    answer = Client().get("/w.js", headers={"Origin": "https://www.example.org"})
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert not answer.cookies
    assert answer["Vary"] == "Accept-Encoding"


def test_the_loader_defines_one_global_name() -> None:
    """The bundle is a classic script, whose top-level names would be globals of the page."""
    text = Client().get("/w.js").content.decode().strip()
    assert text.startswith("(()=>{")
    assert text.endswith("})();")


def test_the_loader_can_only_be_read() -> None:
    assert Client().post("/w.js").status_code == 405
