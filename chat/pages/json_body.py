"""A request body as JSON of a known shape. Bad input is refused in plain words."""

import json
import re
from typing import TypeVar

import msgspec
from django.utils.translation import gettext as _

from chat.errors import BadRequest
from chat.lib.text import clean_json

T = TypeVar("T")


def read_json(body: bytes, shape: type[T]) -> T:
    """The value in `body`, its texts cleaned; `BadRequest` says what is wrong and where."""
    try:
        return msgspec.convert(clean_json(json.loads(body.decode())), shape)
    except UnicodeDecodeError:
        raise BadRequest(_("The text is not valid UTF-8.")) from None
    except RecursionError:
        raise BadRequest(_("This is nested too deeply.")) from None
    except msgspec.ValidationError as error:
        raise BadRequest(_in_words(str(error))) from None
    except ValueError:
        raise BadRequest(_("The request is not valid JSON.")) from None


def _in_words(problem: str) -> str:
    """msgspec's message, with the place first: `temperature: expected a number <= 5`."""
    found = re.fullmatch(r"(.*?)(?: - at `\$\.?(.*)`)?", problem, re.DOTALL)
    what, where = (found[1], found[2]) if found else (problem, None)
    what = what.replace("`", "").replace("float", "a number").replace("int", "a whole number")
    return f"{where or 'The request'}: {what[:1].lower()}{what[1:]}."
