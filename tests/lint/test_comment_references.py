"""The files that comments and docstrings name exist."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.support.servers.server import ROOT

NAMED = re.compile(r"(?<![\w/.@-])((?:[\w-]+/)*[\w-]+\.(?:py|js|mjs|html|css|toml|sql|md))\b")
COMMENTS = re.compile(
    r"/\*.*?\*/|(?<!:)//[^\n]*|\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}", re.DOTALL
)


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    return [each for each in listed.stdout.split() if (ROOT / each).exists()]


def comments_in(path: Path) -> Iterator[str]:
    source = path.read_text()
    if path.suffix != ".py":
        yield from COMMENTS.findall(source)
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def test_files_that_comments_name_exist() -> None:
    files = tracked()
    ends = {path.split("/", n)[-1] for path in files for n in range(path.count("/") + 1)}
    named = [
        (path, name)
        for path in files
        if Path(path).suffix in (".py", ".js", ".mjs", ".html", ".css")
        and not path.startswith("tests/")
        for comment in comments_in(ROOT / path)
        for name in NAMED.findall(comment)
    ]
    assert len(named) > 100
    assert [each for each in named if each[1] not in ends] == []
