"""Each page with htmx has its policy for Trusted Types, without which it can't replace anything."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HTMX = "django_htmx/htmx"
MODULE = re.compile(r'{% module "(js/\w+\.js)" %}')
POLICY = 'import "./htmx_policy.js";'
TEMPLATES = [
    path for path in sorted((ROOT / "templates").rglob("*.html")) if HTMX in path.read_text()
]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_it_may_insert_what_the_server_sends(template: Path) -> None:
    text = template.read_text()
    modules = [ROOT / "static" / name for name in MODULE.findall(text)]
    assert any(POLICY in module.read_text() for module in modules)
    assert text.index("{% module") < text.index(HTMX)


def test_there_are_such_pages() -> None:
    assert len(TEMPLATES) >= 3
