"""Every format of the API has all that a model wrote, in whatever order it came.

`python -m tests.fuzz` tries a hundred thousand answers.
"""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.api.random_answers import check_formats
from tests.support.variants import examples


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(300), deadline=None)
def test_an_answer_is_whole_in_every_format(random: Random) -> None:
    check_formats(random)
