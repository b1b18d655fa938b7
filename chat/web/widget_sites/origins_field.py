"""Define the field for the websites that may embed a chat, one per line."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.web.http.form_fields import LinesField
from chat.widget_sites.origins import read_origin

MAX_ORIGINS = 50
ORIGIN_LENGTH = 300


class OriginsField(LinesField):
    def __init__(self, **options: Any) -> None:
        super().__init__(most_lines=MAX_ORIGINS, most=ORIGIN_LENGTH, rows=3, **options)
        self.widget.attrs |= {"dir": "ltr", "spellcheck": "false", "autocapitalize": "none"}

    def clean(self, value: Any) -> list[str]:
        origins, wrong = [], []
        for line in super().clean(value):
            try:
                origins.append(read_origin(line))
            except BadRequest as error:
                wrong.append(_("“{line}”: {words}").format(line=line, words=error.public))
        if wrong:
            raise ValidationError(wrong)
        return list(dict.fromkeys(origins))
