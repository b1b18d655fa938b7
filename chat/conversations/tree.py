"""Finding one's way in a tree of messages: pure."""

from collections.abc import Iterable
from typing import Protocol, TypeVar


class Node(Protocol):
    @property
    def pk(self) -> int: ...
    @property
    def parent_id(self) -> int | None: ...


N = TypeVar("N", bound=Node)


def path_to(leaf_id: int | None, nodes: Iterable[N]) -> list[N]:
    """From the root down to `leaf_id`; empty for None or an unknown id."""
    by_id = {node.pk: node for node in nodes}
    path: list[N] = []
    current = by_id.get(leaf_id) if leaf_id is not None else None
    while current is not None:
        path.append(current)
        current = by_id.get(current.parent_id) if current.parent_id is not None else None
    return path[::-1]


def newest_leaf_after(start_id: int, nodes: Iterable[N]) -> int:
    """The last message that was said after `start_id` on one of its branches, or itself."""
    after = {start_id}
    for node in sorted(nodes, key=lambda node: node.pk):  # none is older than its parent
        if node.parent_id in after:
            after.add(node.pk)
    return max(after)


def newest_leaf(nodes: Iterable[N]) -> int | None:
    """The last message said, which is a leaf of the branch that was used last."""
    return max((node.pk for node in nodes), default=None)
