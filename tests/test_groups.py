"""Tests that share a site are one group, which one test process runs; else each starts sites of its own."""

import pytest


@pytest.mark.xdist_group("together")
def test_a_group_reaches_the_one_who_deals_out_tests(request: pytest.FixtureRequest) -> None:
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@together") == grouped
