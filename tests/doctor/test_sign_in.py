"""`doctor` reads the identity provider's discovery document and compares it with the settings."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Group
from pytest_django import Settings

from chat.doctor import clock_check
from chat.doctor.check_result import DoctorOptions
from chat.doctor.sign_in_check import check_sign_in
from chat.doctor.streaming import measurement
from tests.support.servers.identity_provider import IdentityProvider

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: Settings) -> Iterator[IdentityProvider]:
    found = IdentityProvider()
    settings.SSO_ISSUER = found.issuer
    with found.running():
        yield found


def report() -> list[tuple[str, str]]:
    return [(each.status, each.message) for each in check_sign_in(DoctorOptions())]


def test_without_a_provider_there_is_nothing_to_check() -> None:
    assert report() == [("ok", "Single sign-on isn't used.")]


def test_a_provider_that_fits_is_fine(provider: IdentityProvider, settings: Settings) -> None:
    callback = f"{settings.SITE_URL}/accounts/sso/callback/"
    message = f"{provider.issuer} answers. It must allow the redirect address {callback}."
    assert report() == [("ok", message)]


def test_another_issuer_is_a_problem(provider: IdentityProvider) -> None:
    provider.document = {"issuer": f"{provider.issuer}/"}
    [(status, message)] = report()
    assert status == "problem"
    assert f"its issuer is '{provider.issuer}/'" in message


def test_an_address_without_a_document_is_a_problem(
    provider: IdentityProvider, settings: Settings
) -> None:
    settings.SSO_ISSUER += "/realms/wrong"
    [(status, message)] = report()
    assert (status, message) == ("problem", f"{settings.SSO_ISSUER} can't be read: HTTPError")


def test_unusable_signatures_are_a_problem(provider: IdentityProvider) -> None:
    provider.document = {"id_token_signing_alg_values_supported": ["HS256"]}
    assert "no public key" in report()[0][1]


def test_a_group_that_does_not_exist_is_a_warning(
    provider: IdentityProvider, settings: Settings
) -> None:
    Group.objects.create(name="Reviewers")
    settings.SSO_GROUPS = {"/ghosts": ["Ghosts", "Reviewers"]}
    assert report()[1] == ("warning", "SSO_GROUPS names groups that don't exist: Ghosts.")


def test_a_scope_that_the_provider_does_not_list_is_a_warning(
    provider: IdentityProvider, settings: Settings
) -> None:
    provider.document = {"scopes_supported": ["openid", "email", "profile"]}
    assert len(report()) == 1
    settings.SSO_SCOPES = ["openid", "email", "grups"]
    assert report()[1] == (
        "warning",
        "SSO_SCOPES has scopes that the provider doesn't list: grups.",
    )


def test_a_clock_that_differs_from_the_providers_is_a_problem(
    provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An ID token from the future is refused, and the person reads only: try again."""

    def five_minutes_ahead(date: str) -> float:
        offset = measurement.offset_of(date)
        assert offset is not None
        return offset + 300

    monkeypatch.setattr(clock_check, "offset_of", five_minutes_ahead)
    (found,) = clock_check.check_clock(DoctorOptions())
    assert found.status == "problem"
    assert "behind the identity provider" in found.message
    assert "single sign-on" in found.message
