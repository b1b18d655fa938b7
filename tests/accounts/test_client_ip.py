"""The client's address comes from trusted proxies only."""

import pytest
from django.test import RequestFactory, override_settings

from chat.accounts.client_ip import client_address

PEER = "192.0.2.9"


def address(forwarded: str | None, proxies: int, peer: str = PEER) -> str:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    request = RequestFactory(headers=headers).get("/", REMOTE_ADDR=peer)
    with override_settings(TRUSTED_PROXY_COUNT=proxies):
        return client_address(request)


@pytest.mark.parametrize(
    ("forwarded", "proxies", "expected"),
    [
        (None, 0, PEER),
        ("203.0.113.7", 0, PEER),  # no trusted proxy
        ("203.0.113.7", 1, "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7", 1, "203.0.113.7"),  # the client wrote the first one
        ("6.6.6.6, 203.0.113.7, 10.0.0.2", 2, "203.0.113.7"),
        ("203.0.113.7", 2, "203.0.113.7"),  # it passed only one of two proxies
        (None, 1, PEER),
        ("", 1, PEER),
        ("nonsense", 1, PEER),
        ("203.0.113.7:4711", 1, "203.0.113.7"),
        ("[2001:db8:1:2::9]:4711", 1, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3:4:5:6", 1, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", 1, "203.0.113.7"),
        ("fe80::1%eth0", 1, "fe80::/64"),
    ],
)
def test_the_address_is_the_last_one_that_a_trusted_proxy_reports(
    forwarded: str | None, proxies: int, expected: str
) -> None:
    assert address(forwarded, proxies) == expected


def test_an_ipv6_64_network_counts_as_one_address() -> None:
    assert address("2001:db8::1", 1) == address("2001:db8::ffff", 1)
    assert address("2001:db8::1", 1) != address("2001:db8:0:1::1", 1)


def test_a_socket_without_an_address_has_an_empty_one() -> None:
    assert address(None, 0, peer="") == "unknown"
