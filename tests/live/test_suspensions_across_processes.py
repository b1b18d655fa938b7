"""When a process suspends somebody, their streams end in all processes."""

import uuid
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.generations.stream_reader import SAME_ORIGIN
from tests.support.patience import Stopwatch
from tests.support.servers.server import signed_up, two_processes

SUSPEND = """
from django.contrib.auth.models import Permission
from chat.accounts.models import User
from chat.review.access_log.staff_context import StaffContext
from chat.review.moderation import user_moderation
from chat.review.staff import roles
adam = User.objects.create_user("adam@example.org", "tide table")
adam.user_permissions.add(Permission.objects.get(codename="administer_review"))
staff_context = StaffContext(roles.reviewer_of(User.objects.get(pk=adam.pk)), "Report 7 of May")
user_moderation.suspend(staff_context, User.objects.exclude(pk=adam.pk).get(), None)
"""
STATE = "from chat.generations.models import Generation; print(Generation.objects.get().state)"
SETTINGS = {"EMULATOR_TOKENS_PER_SECOND": "2", "MEMBER_ABANDONED_AFTER_SECONDS": "0"}


@pytest.mark.long
def test_streams_of_a_suspended_person_end_in_every_process(tmp_path: Path) -> None:
    with two_processes(tmp_path, **SETTINGS) as (here, there), closing(signed_up(here)) as client:
        headers = {**SAME_ORIGIN, "X-CSRFToken": client.cookies["csrftoken"]}
        body = {"key": uuid.uuid4().hex, "text": "Tell me a long story"}
        with client.stream("POST", "/chat/messages", json=body, headers=headers) as begun:
            assert begun.status_code == 200
            writing = begun.iter_bytes()
            next(writing)
            url = f"{there.url}/generations/{begun.headers['X-Generation-Id']}/stream"
            with client.stream("GET", url) as read:
                chunks = read.iter_bytes()
                next(chunks)
                here.manage("shell", "--verbosity=0", "--command", SUSPEND)
                since = Stopwatch()
                for _ in chunks:
                    pass
                for _ in writing:
                    pass
                assert since.seconds < 15
        said = here.manage("shell", "--verbosity=0", "--command", STATE).split()
        assert said[-1] == "stopped"
        assert client.get(url).status_code == 401
