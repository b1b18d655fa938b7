"""What a browser has to load stays small."""

import gzip

import pytest
from django.conf import settings

KB = 1024


@pytest.mark.parametrize(
    ("files", "largest"),
    [(("css/site.css", "css/chat.css"), 15 * KB), (("js/settings.js",), 3 * KB)],
)
def test_bundles_are_small(files: tuple[str, ...], largest: int) -> None:
    made = [settings.BASE_DIR / "build" / file for file in files]
    assert sum(len(gzip.compress(file.read_bytes())) for file in made) <= largest
