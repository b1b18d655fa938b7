"""Nonsense in an export costs at most the messages that have it, and no other chat.

`python -m tests.fuzz` tries a hundred thousand exports.
"""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.import_export.random_exports import check_odd_chat, check_whole
from tests.support.variants import examples


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(500), deadline=None)
def test_odd_values_cost_only_the_messages_that_have_them(random: Random) -> None:
    check_odd_chat(random)


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(200), deadline=None)
def test_a_file_with_odd_values_is_read_or_refused(random: Random) -> None:
    check_whole(random)
