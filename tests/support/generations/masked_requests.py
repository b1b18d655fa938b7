"""Switch the masking of personal data on in tests, and look at what the emulator was asked."""

from typing import Any

from chat.site_settings import stored_settings
from chat.site_settings.models import SiteSetting

EMAIL, PHONE, IBAN = "ada@example.org", "+49 171 2345678", "DE89 3704 0044 0532 0130 00"
QUESTION = f"I am {EMAIL}, call {PHONE}, and pay to {IBAN}. Not {EMAIL}!"


def store_settings(**values: Any) -> None:
    for name, value in values.items():
        SiteSetting.objects.update_or_create(pk=name, defaults={"value": value})
    stored_settings.refresh()


def assert_nothing_personal(asked: list[tuple[str, bytes]]) -> None:
    """Fail if a value of `QUESTION` is in a request, or no placeholder is in any."""
    assert asked
    sent = b"\n".join(body for _path, body in asked).decode()
    for value in (EMAIL, "2345678", "DE89", "0130 00"):
        assert value not in sent
    assert "[email 1]" in sent
