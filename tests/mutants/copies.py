"""Isolated copies of the tree, so that mutants are never in the working tree."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: What tests only read, and what is too large to copy.
LINKED = (".venv", "node_modules", "build")
CACHES = (".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".import_linter_cache")
#: Migrated databases, which take long to make: tests/support/database/database_templates.py.
TEMPLATES = "var/test_templates"


@contextmanager
def isolated_copy(root: Path) -> Iterator[Path]:
    """Yield a copy of the tree, which is deleted in the end."""
    with tempfile.TemporaryDirectory(prefix="runnel-mutants-") as folder:
        copy = Path(folder) / "tree"
        ignored = shutil.ignore_patterns(".git", "var", *CACHES, *LINKED)
        shutil.copytree(root, copy, ignore=ignored, symlinks=True)
        for name in LINKED:
            if (root / name).exists():
                (copy / name).symlink_to((root / name).resolve())
        if (root / TEMPLATES).exists():
            without_servers = shutil.ignore_patterns("*postgres*")  # another user may own those
            shutil.copytree(root / TEMPLATES, copy / TEMPLATES, ignore=without_servers)
        yield copy
