"""Origins are stored in canonical form, and match exactly what browsers send."""

import pytest

from chat.errors import BadRequest
from chat.widget_sites.origins import matches, origin_of, read_origin


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://www.example.org", "https://www.example.org"),
        ("  HTTPS://WWW.Example.ORG/ ", "https://www.example.org"),
        ("https://example.org:443", "https://example.org"),
        ("https://example.org:8443/", "https://example.org:8443"),
        ("https://*.example.org", "https://*.example.org"),
        ("https://*.example.org:8443", "https://*.example.org:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://*.bücher.example", "https://*.xn--bcher-kva.example"),
        ("https://intranet", "https://intranet"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://localhost:80", "http://localhost"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("https://localhost", "https://localhost"),
    ],
)
def test_an_origin_has_one_canonical_form(text: str, origin: str) -> None:
    assert read_origin(text) == origin
    assert read_origin(origin) == origin


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Start with https://"),
        ("www.example.org", "Start with https://"),
        ("*", "Start with https://"),
        ("null", "Start with https://"),
        ("https://", "Start with https://"),
        ("ftp://example.org", "Start with https://"),
        ("javascript://example.org", "Start with https://"),
        ("http://example.org", "Use https://."),
        ("http://10.0.0.1", "IP addresses aren't supported"),
        ("https://10.0.0.1", "IP addresses aren't supported"),
        ("https://2130706433", "IP addresses aren't supported"),
        ("https://0x7f.1", "IP addresses aren't supported"),
        ("https://example.org/shop", "Enter only https://example.org."),
        ("https://example.org?a=b", "Enter only https://example.org."),
        ("https://example.org#a", "Enter only https://example.org."),
        ("https://me:secret@example.org", "Enter only https://example.org."),
        ("https://*", "This isn't a web address."),
        ("https://*.", "This isn't a web address."),
        ("https://*.org", "Add your own domain after *."),
        ("http://*.localhost", "Add your own domain after *."),
        ("https://*.127.0.0.1", "Add your own domain after *."),
        ("https://www.*.org", "This isn't a web address."),
        ("https://*.*.example.org", "This isn't a web address."),
        ("https://*example.org", "This isn't a web address."),
        ("https://example.org:*", "This isn't a web address."),
        ("https://example.org:0", "This isn't a web address."),
        ("https://example.org:65536", "This isn't a web address."),
        ("https://[::1]:3000", "This isn't a web address."),
        ("https://[::1", "This isn't a web address."),
        ("https://exam ple.org", "This isn't a web address."),
        ("https://example.org; script-src *", "This isn't a web address."),
        ("https://example.org,https://example.net", "This isn't a web address."),
        ("https://example.org 'self'", "This isn't a web address."),
        ("https://example.org\nhttps://example.net", "This isn't a web address."),
        ("https://-example.org", "This isn't a web address."),
        ("https://example..org", "This isn't a web address."),
        ("https://exa_mple.org", "This isn't a web address."),
        ("https://" + "a." * 127 + "org", "This isn't a web address."),
        ("https://" + "a" * 64 + ".org", "This isn't a web address."),
        ("https://\0.org", "This isn't a web address."),
    ],
)
def test_an_invalid_origin_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        read_origin(text)
    assert words in refused.value.public


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://www.example.org", "https://www.example.org"),
        ("https://example.org:8443", "https://example.org:8443"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("https://www.example.org", "https://*.example.org"),
        ("https://a.b.example.org", "https://*.example.org"),
        ("https://a.example.org:8443", "https://*.example.org:8443"),
    ],
)
def test_a_listed_origin_matches(origin: str, allowed: str) -> None:
    assert matches(origin, ["https://other.example", allowed])


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://example.org", "https://*.example.org"),
        ("https://badexample.org", "https://*.example.org"),
        ("https://.example.org", "https://*.example.org"),
        ("https://a..example.org", "https://*.example.org"),
        ("https://evil.example/.example.org", "https://*.example.org"),
        ("https://evil.example#.example.org", "https://*.example.org"),
        ("https://me@evil.example:1@a.example.org", "https://*.example.org"),
        ("http://www.example.org", "https://*.example.org"),
        ("https://www.example.org:8443", "https://*.example.org"),
        ("https://www.example.org", "https://*.example.org:8443"),
        ("http://www.example.org", "https://www.example.org"),
        ("https://www.example.org.evil.example", "https://www.example.org"),
        ("https://www.example.org:8443", "https://www.example.org"),
        ("https://www.example.org/", "https://www.example.org"),
        ("null", "https://www.example.org"),
        ("", "https://www.example.org"),
        ("http://localhost:3001", "http://localhost:3000"),
        ("http://127.0.0.1:3000", "http://localhost:3000"),
    ],
)
def test_any_other_origin_does_not_match(origin: str, allowed: str) -> None:
    assert not matches(origin, [allowed])


def test_an_empty_list_matches_nothing() -> None:
    assert not matches("https://www.example.org", [])


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://www.example.org/shop?a=b#c", "https://www.example.org"),
        ("HTTP://LOCALHOST:80/", "http://localhost"),
        ("https://bücher.example/", "https://xn--bcher-kva.example"),
        ("https://[::1]:8000/", "https://[::1]:8000"),
        ("javascript:alert(1)", ""),
        ("/path", ""),
        ("https://[::1", ""),
        ("https://example.org:x/", ""),
    ],
)
def test_the_origin_of_a_url_is_what_browsers_send(url: str, origin: str) -> None:
    assert origin_of(url) == origin
