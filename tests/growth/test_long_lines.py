"""A document that is one long line is split in time in proportion to its length.

Texts of the size that the other tests screen are too short to show it.
"""

import pytest

from chat.knowledge.passages import split
from chat.lib.worker_thread import finished
from tests.support.growth import assert_linear


@pytest.mark.parametrize("unit", ["a", "😀"])
def test_a_line_without_spaces_is_split_in_linear_time(unit: str) -> None:
    assert_linear(lambda text: finished(split(text)), lambda size: unit * size)
