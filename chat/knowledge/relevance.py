"""Tell whether passages are about a question at all. A pure function.

The nearest passages are found for any question, even for one that no document answers. How the
limits were chosen is in docs/website_answers.md.
"""

from django.conf import settings

#: The least share of a question's words, weighted by how rare they are: if words alone are
#: compared, and beside vectors.
LEAST_WORDS, LEAST_WORDS_BESIDE_VECTORS = 0.35, 0.4
#: The least distinction. Cosines of unrelated texts are .1 with one model and .8 with another, but
#: what answers a question stands out from the others alike.
LEAST_DISTINCTION = 3.2


def is_relevant(words: float, similarity: float | None, distinction: float | None) -> bool:
    """Return whether a passage is about a question. See `FoundPassage` for the three figures."""
    if similarity is None:
        return words >= LEAST_WORDS
    if words >= LEAST_WORDS_BESIDE_VECTORS:
        return True
    if distinction is not None:
        return distinction >= LEAST_DISTINCTION
    return similarity >= settings.KNOWLEDGE_MIN_SIMILARITY
