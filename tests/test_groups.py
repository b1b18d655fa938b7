"""Tests that share a site are one group, which one test process runs; else each starts sites of its own."""

import re

import pytest

from tests.support.servers.server import ROOT


@pytest.mark.xdist_group("together")
def test_a_group_reaches_the_one_who_deals_out_tests(request: pytest.FixtureRequest) -> None:
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@together") == grouped


def test_every_person_of_the_browser_tests_belongs_to_one_file() -> None:
    """The files share a site, in whatever order; an address can be a new member's only once."""
    of: dict[str, set[str]] = {}
    for file in (ROOT / "tests/browser").glob("test_*.py"):
        for email in re.findall(r'"([a-z-]+@example\.org)"', file.read_text()):
            of.setdefault(email, set()).add(file.name)
    shared = {"alice@example.org"}  # signed in once for all: conftest.py
    assert {
        email: files for email, files in of.items() if len(files) > 1 and email not in shared
    } == {}
