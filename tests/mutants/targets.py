"""Name the code that is mutated: where one changed character opens, loses or miscounts something.

Not in here are modules that make triggers and indexes: databases of tests are copies of one that
the unchanged code migrated, so their mutants would always survive.
"""

from pathlib import Path

from tests.support.servers.server import ROOT

#: Patterns of files in the order in which groups are tried. A file belongs to the first that has it.
GROUPS: dict[str, tuple[str, ...]] = {
    "access": (
        "chat/conversations/access.py",
        "chat/conversations/images/access.py",
        "chat/generations/delivery/access.py",
        "chat/review/access.py",
        "chat/review/staff/*.py",
        "chat/widget_sites/access.py",
        "chat/accounts/principals.py",
        "chat/accounts/sessions/session_rights.py",
        "chat/middleware/*_isolation.py",
        "chat/web/http/owned_objects.py",
        "chat/web/http/visitor_requests.py",
    ),
    "quotas": ("chat/quotas/*.py",),
    "policy": ("chat/middleware/content_security.py",),
    "origins": (
        "chat/web/http/origin.py",
        "chat/web/http/cors.py",
        "chat/web/http/safe_redirect.py",
        "chat/widget_sites/origins.py",
        "chat/widget_sites/identity*.py",
        "chat/widget_sites/visitor_tokens.py",
    ),
    "readers": (
        "chat/lib/sse.py",
        "chat/upstream/decoding/*.py",
        "chat/upstream/chunks.py",
        "chat/generations/log/*.py",
        "chat/generations/delivery/readers.py",
    ),
    "core": (
        "chat/generations/**/*.py",
        "chat/conversations/turns.py",
        "chat/conversations/tree.py",
        "chat/conversations/branches.py",
    ),
    "scripts": (
        "static/js/stream/*.js",
        "static/js/lib/backoff.js",
        "static/js/lib/once.js",
        "static/js/lib/sse.js",
    ),
}
#: Files that match a pattern and make triggers.
NOT_MUTATED = frozenset({"chat/quotas/rules_version.py"})


def files_by_group(root: Path = ROOT) -> dict[str, list[str]]:
    """Return the files of each group, relative to the root of the tree."""
    found: dict[str, list[str]] = {}
    taken = set(NOT_MUTATED)
    for group, patterns in GROUPS.items():
        paths = {str(path.relative_to(root)) for each in patterns for path in root.glob(each)}
        found[group] = sorted(path for path in paths - taken if not path.endswith("__init__.py"))
        taken |= paths
    return found


def python_files(root: Path = ROOT) -> list[str]:
    files = (path for paths in files_by_group(root).values() for path in paths)
    return [path for path in files if path.endswith(".py")]
