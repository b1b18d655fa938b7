"""What a browser has to load stays small."""

import gzip

from django.conf import settings

CSS_BYTES = 15 * 1024


def test_all_style_sheets_together_are_small() -> None:
    sheets = sorted(settings.BASE_DIR.glob("static/css/*.css"))
    assert sum(len(gzip.compress(sheet.read_bytes())) for sheet in sheets) <= CSS_BYTES
