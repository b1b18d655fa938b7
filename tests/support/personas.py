"""What tests of personas share with others."""

from tests.support.layout import PHONE

NARROW = {**PHONE, "viewport": {"width": 320, "height": 640}}
