"""The fixed cast: alice, bob (who must see nothing of hers), rita (staff)."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.test import AsyncClient, Client
from hypothesis import settings as hypothesis

from chat.accounts.models import User
from chat.pages import refused_requests
from chat.relay import answer as answer_module
from chat.relay import life, registry, slowing, threads
from tests.helpers.emptying import empty_quickly

hypothesis.register_profile("runnel", deadline=None, print_blob=True)  # machines are noisy
hypothesis.load_profile("runnel")
empty_quickly()


@pytest.fixture(autouse=True)
def _nothing_is_left_from_other_tests() -> Iterator[None]:
    cache.clear()
    answer_module.learned_windows.clear()
    slowing.forget()
    Path(settings.AUDIT_SEALS_PATH).unlink(missing_ok=True)
