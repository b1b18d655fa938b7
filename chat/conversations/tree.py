"""Navigate a tree of messages. Pure functions."""

from collections.abc import Iterable
from typing import Protocol, TypeVar


class Node(Protocol):
    """A message, as far as its place in the tree matters."""

    @property
    def pk(self) -> int: ...
    @property
    def parent_id(self) -> int | None: ...
    @property
    def role(self) -> str: ...


N = TypeVar("N", bound=Node)


def path_to(leaf_id: int | None, nodes: Iterable[N]) -> list[N]:
    """Return the path from the root to `leaf_id`; empty for None or an unknown id."""
    by_id = {node.pk: node for node in nodes}
    path: list[N] = []
    current = by_id.get(leaf_id) if leaf_id is not None else None
    while current is not None:
        path.append(current)
        current = by_id.get(current.parent_id) if current.parent_id is not None else None
    return path[::-1]


def newest_leaf(nodes: Iterable[N]) -> int | None:
    """Return the id of the newest message, the leaf of the branch used last."""
    return max((node.pk for node in nodes), default=None)


def leaves(nodes: Iterable[N]) -> list[N]:
    """Return the leaves of all branches, that of the branch used last first."""
    all_nodes = sorted(nodes, key=lambda node: node.pk, reverse=True)
    parents = {node.parent_id for node in all_nodes}
    return [node for node in all_nodes if node.pk not in parents]


def subtree(root_id: int, nodes: Iterable[N]) -> list[N]:
    """Return the message `root_id` and all its descendants, which have higher ids."""
    below: dict[int, N] = {}
    for node in sorted(nodes, key=lambda node: node.pk):
        if node.pk == root_id or node.parent_id in below:
            below[node.pk] = node
    return list(below.values())


def versions(nodes: Iterable[N]) -> dict[int, list[int]]:
    """Map each message to its alternatives, oldest first, itself included.

    Alternatives share parent and role: other versions of a question, or other answers to it.
    """
    places: dict[tuple[int | None, str], list[int]] = {}
    for node in sorted(nodes, key=lambda node: node.pk):
        places.setdefault((node.parent_id, node.role), []).append(node.pk)
    return {pk: place for place in places.values() for pk in place}
