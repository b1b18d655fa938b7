"""Cohen's κ: how far two raters agree beyond chance.

J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement
20 (1960), and, with weights, "Weighted kappa", Psychological Bulletin 70 (1968). With the weights
of disagreement w, κ = 1 − Σ w·observed ÷ Σ w·expected, where two raters who each use the values as
often as they do, but independently, are expected to differ.
"""

from collections.abc import Callable, Iterable, Sequence

Weight = Callable[[int, int], float]


def unweighted(first: int, second: int) -> float:
    """Every disagreement counts the same, as between labels."""
    return float(first != second)


def quadratic(first: int, second: int) -> float:
    """A disagreement counts by the square of its distance, as between scores.

    Dividing by the square of the longest distance, as many do, doesn't change κ.
    """
    return float((first - second) ** 2)


def cohen_kappa(table: Sequence[Sequence[float]], weight: Weight = unweighted) -> float | None:
    """Return κ of a square table: how often the first rater said the row, the second the column.

    Return None where it isn't defined: without pairs, or if both always said the same one thing, so
    that no disagreement was to be expected.
    """
    size = range(len(table))
    total = sum(map(sum, table))
    rows = [sum(row) for row in table]
    columns = [sum(row[place] for row in table) for place in size]
    cells = [(row, column) for row in size for column in size]
    observed = sum(weight(row, column) * table[row][column] for row, column in cells)
    expected = sum(weight(row, column) * rows[row] * columns[column] for row, column in cells)
    if not total or not expected:
        return None
    return 1 - observed * total / expected


def table_of(pairs: Iterable[tuple[int, int]], values: Sequence[int]) -> list[list[int]]:
    """Count the pairs in a square table of these values."""
    places = {value: place for place, value in enumerate(values)}
    table = [[0] * len(values) for _value in values]
    for first, second in pairs:
        table[places[first]][places[second]] += 1
    return table
