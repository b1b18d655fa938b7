"""Settings of single sign-on and of the domains that may sign up are checked at startup."""

from pathlib import Path

import pytest

from tests.support.servers.settings_process import read

PROVIDER = {
    "SSO_ISSUER": "https://login.example.org",
    "SSO_CLIENT_ID": "runnel",
    "SSO_CLIENT_SECRET": "secret-value",
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SSO_ISSUER": "login.example.org"}, "https://login.example.org/realms/main"),
        ({"SSO_ISSUER": "http://login.example.org"}, "https://login.example.org/realms/main"),
        ({"SSO_ISSUER": "https://login.example.org/" + "x" * 200}, "SSO_ISSUER"),
        ({"SSO_CLIENT_SECRET": ""}, "needs SSO_CLIENT_ID and SSO_CLIENT_SECRET"),
        ({"SSO_ISSUER": "https://accounts.google.com"}, "SSO_DOMAINS is empty"),
        ({"SSO_DOMAINS": "*.example.org"}, "write domains like example.org"),
        ({"SSO_GROUPS": "staff"}, "write pairs like"),
        ({"SSO_ROLES": "it=root"}, "choose one of: staff, superuser"),
        ({"SSO_SCOPES": "email"}, "must contain openid"),
        ({"SITE_URL": "http://chat.example.org"}, "needs a SITE_URL with https://"),
        ({"SSO_ISSUER": "", "PASSWORD_SIGN_IN": "no"}, "no other way to sign in"),
        ({"SIGN_UP_DOMAINS": "example.org"}, "needs EMAIL_CONFIRMATION=mandatory"),
    ],
    ids=str,
)
def test_a_combination_that_cannot_work_aborts_startup(
    changes: dict[str, str], words: str, tmp_path: Path
) -> None:
    result = read(tmp_path, "DEBUG", **(PROVIDER | changes))
    assert result.returncode == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert "secret-value" not in result.stderr


def test_a_claim_value_may_contain_an_equals_sign(tmp_path: Path) -> None:
    mapping = "cn=staff,ou=it=Staff; cn=staff,ou=it=Chess; /x = Lead reviewers ;"
    result = read(tmp_path, "SSO_GROUPS", **PROVIDER, SSO_GROUPS=mapping)
    assert result.returncode == 0, result.stderr
    expected = {"cn=staff,ou=it": ["Staff", "Chess"], "/x": ["Lead reviewers"]}
    assert str(expected) in result.stdout
