"""A site belongs to one member; its keys work until revoked; deleting it deletes everything."""

import pytest
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.errors import BadRequest, NotFound
from chat.quotas.models import Limit
from chat.widget_sites import identity_keys
from chat.widget_sites.access import identity_key_of, site_of, sites_of
from chat.widget_sites.limits import limits_of, set_limits
from chat.widget_sites.models import IdentityKey, Visitor, WidgetSite

VISITOR, SITE = Limit.Scope.VISITOR, Limit.Scope.SITE


@pytest.fixture
def shop(alice: User) -> WidgetSite:
    return WidgetSite.objects.create(owner=alice, name="Shop")


def public_pem(key: Ed25519PrivateKey) -> str:
    made = key.public_key().public_bytes(
        forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo
    )
    return made.decode()


def visitor_of(site: WidgetSite, name: str) -> Visitor:
    user = User.objects.create_user(f"{name}@visitor.invalid")
    Conversation.objects.create(owner=user)
    return Visitor.objects.create(site=site, user=user)


def test_a_site_belongs_to_its_owner_only(shop: WidgetSite, alice: User, bob: User) -> None:
    assert site_of(alice.pk, shop.key) == shop
    assert list(sites_of(bob.pk)) == []
    for user, key in ((bob, shop.key), (alice, "0" * 24), (alice, ""), (alice, "x\0")):
        if "\0" not in key:  # PostgreSQL takes none; addresses have none
            with pytest.raises(NotFound):
                site_of(user.pk, key)


def test_each_secret_is_long_and_different(shop: WidgetSite) -> None:
    (first, secret), (second, other) = (identity_keys.make_secret(shop) for _ in range(2))
    assert len(secret) >= 43
    assert secret != other
    assert first.verifier == secret
    assert {key.pk for key in identity_keys.keys_of(shop)} == {first.pk, second.pk}


def test_a_revoked_key_is_not_accepted(shop: WidgetSite) -> None:
    key, _secret = identity_keys.make_secret(shop)
    assert identity_key_of(shop, key.pk) == key
    identity_keys.revoke(key)
    assert not identity_keys.keys_of(shop)
    with pytest.raises(NotFound):
        identity_key_of(shop, key.pk)


def test_another_sites_key_is_not_found(shop: WidgetSite, alice: User) -> None:
    other = WidgetSite.objects.create(owner=alice, name="Other")
    key, _secret = identity_keys.make_secret(other)
    with pytest.raises(NotFound):
        identity_key_of(shop, key.pk)


def test_a_public_key_is_stored_in_canonical_form(shop: WidgetSite) -> None:
    pem = public_pem(Ed25519PrivateKey.generate())
    key = identity_keys.add_public(shop, "\r\n " + pem.replace("\n", "\r\n"))
    assert (key.algorithm, key.verifier) == (IdentityKey.Algorithm.EDDSA, pem)


def test_an_invalid_public_key_is_refused_with_the_reason(shop: WidgetSite) -> None:
    private = Ed25519PrivateKey.generate().private_bytes(
        forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption()
    )
    curve = generate_private_key(SECP256R1()).public_key()
    other = curve.public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo)
    wrong = {
        private.decode(): "This is a private key",
        other.decode(): "This isn't an Ed25519 public key.",
        "": "This isn't an Ed25519 public key.",
        "-----BEGIN PUBLIC KEY-----\nÜ\n-----END PUBLIC KEY-----": "This isn't an Ed25519",
    }
    for pem, words in wrong.items():
        with pytest.raises(BadRequest) as refused:
            identity_keys.add_public(shop, pem)
        assert words in refused.value.public
    assert not identity_keys.keys_of(shop)


def test_a_site_has_ten_keys_at_most(shop: WidgetSite) -> None:
    for _ in range(identity_keys.MAX_KEYS):
        identity_keys.make_secret(shop)
    with pytest.raises(BadRequest, match="bad_request"):
        identity_keys.make_secret(shop)
    assert identity_keys.keys_of(shop).count() == 10


def test_an_owners_limits_are_separate_rows(shop: WidgetSite) -> None:
    staffs = Limit.objects.create(scope="site", measure="dollars", site=shop.key, amount=50)
    set_limits(shop, {(VISITOR, "requests"): 4, (SITE, "dollars"): 2.5, (SITE, "tokens"): None})
    assert limits_of(shop) == {("visitor", "requests"): 4, ("site", "dollars"): 2.5}
    set_limits(shop, {(VISITOR, "tokens"): 100})
    assert limits_of(shop) == {("visitor", "tokens"): 100}
    assert Limit.objects.get(by_owner=False) == staffs


@pytest.mark.parametrize("what", ["the site", "its owner", "all sites"])
def test_a_deleted_site_leaves_nothing_of_its_visitors(
    shop: WidgetSite, alice: User, bob: User, what: str
) -> None:
    bob_client = visitor_of(WidgetSite.objects.create(owner=bob, name="Bob's"), "b")
    visitor_of(shop, "a")
    set_limits(shop, {(SITE, "tokens"): 100})
    identity_keys.make_secret(shop)
    if what == "its owner":
        alice.delete()
    elif what == "all sites":
        WidgetSite.objects.filter(owner=alice).delete()
    else:
        shop.delete()
    assert list(Visitor.objects.all()) == [bob_client]
    assert [each.owner_id for each in Conversation.objects.all()] == [bob_client.user_id]
    assert not User.objects.filter(email="a@visitor.invalid").exists()
    assert not Limit.objects.exists()
    assert not IdentityKey.objects.exists()
