"""Whose address counts: what our own proxies say, and nothing else."""

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
        ("203.0.113.7", 0, PEER),  # nobody vouches for it
        ("203.0.113.7", 1, "203.0.113.7"),
        ("6.6.6.6, 203.0.113.7", 1, "203.0.113.7"),  # the client wrote the first one
        ("6.6.6.6, 203.0.113.7, 10.0.0.2", 2, "203.0.113.7"),
        ("203.0.113.7", 2, "203.0.113.7"),  # it came past one of the two
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
def test_the_address_is_the_last_that_is_vouched_for(
    forwarded: str | None, proxies: int, expected: str
) -> None:
    assert address(forwarded, proxies) == expected


def test_one_household_is_one_address() -> None:
    assert address("2001:db8::1", 1) == address("2001:db8::ffff", 1)
    assert address("2001:db8::1", 1) != address("2001:db8:0:1::1", 1)


def test_a_socket_without_addresses_has_none() -> None:
    assert address(None, 0, peer="") == "unknown"
