"""Measure complete requests on the server: session, page and access log."""

import time
from statistics import median
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection
from django.test import Client, override_settings

from benchmarks.review import work
from benchmarks.review.data import OLD, OLD_MODEL, RARE, RARE_MODEL
from benchmarks.search.data import ABSENT, COMMON, FREQUENT
from chat.accounts.models import User
from chat.conversations.models import Conversation
from chat.review.models import AccessLogEntry

LIST_MS, SEARCH_MS, READ_MS, MEASURES_MS = 200, 300, 200, 1000
LISTS = {
    "all": {},
    "one person": {"person": "person-7@example.org"},
    "a name that many have": {"person": "person 4"},
    "a group": {"group": "GROUP"},
    "a model": {"model": "gpt-oss-20b"},
    "a model of five chats": {"model": RARE_MODEL},
    "a model of old chats only": {"model": OLD_MODEL},
    "a model that nobody used": {"model": "nothing-like-it"},
    "days long ago": {"since": "2020-01-01", "until": "DAY"},
    "stopped": {"state": "stopped"},
    "failed": {"state": "failed"},
    "being written (none)": {"state": "running"},
    "bad answers (none)": {"rating": "bad"},
    "dear ones": {"cost": "0.004"},
    "noted (none)": {"noted": "on"},
    "a case to resolve": {"flag": "unresolved"},
    "a case in work": {"flag": "in_work"},
    "found by a rule": {"flag": "rule"},
    "flagged by the staff (none)": {"flag": "staff"},
    "a case, in a group": {"flag": "unresolved", "group": "GROUP"},
    "the dearest": {"sort": "cost"},
    "with messages of long ago": {"time": "sent", "until": "DAY"},
    "personal data": {"personal": "any"},
    "phone numbers": {"personal": "phone"},
    "most people's language": {"language": "en"},
    "a rare language": {"language": "fi"},
    "a language that nobody wrote (none)": {"language": "ja"},
    "a topic": {"topic": "Topic 3"},
    "a topic, not answered": {"topic": "Topic 3", "unanswered": "50"},
    "judged harmful": {"harm": "80"},
    "all at once": {"group": "GROUP", "model": "gpt", "state": "failed", "cost": "0.001"},
}
QUEUES = {
    "the worst": {},
    "the oldest": {"order": "oldest"},
    "resolved, the newest": {"state": "resolved", "order": "newest"},
    "found by a rule": {"source": "4"},
    "flagged by the staff (none)": {"source": "8", "state": "all"},
    "of a group": {"group": "GROUP"},
    "mine (none)": {"assigned_to": "me"},
}
ANSWERS = {
    "all": {"show": "answers"},
    "the dearest": {"show": "answers", "sort": "cost"},
    "of one person": {"show": "answers", "person": "person-7@example.org"},
    "failed, the longest": {"show": "answers", "state": "failed", "sort": "tokens"},
    "of a group, the oldest": {"show": "answers", "group": "GROUP", "sort": "oldest"},
    "sent long ago": {"show": "answers", "time": "sent", "until": "DAY"},
    "with phone numbers": {"show": "answers", "personal": "phone"},
    "in most people's language": {"show": "answers", "language": "en"},
    "in a rare language": {"show": "answers", "language": "fi"},
    "of a topic": {"show": "answers", "topic": "Topic 3"},
    "of a topic, not answered": {"show": "answers", "topic": "Topic 3", "unanswered": "50"},
}
SEARCHES = {
    "in nearly all messages": {"q": f"{COMMON} "},
    "in every third": {"q": f"{FREQUENT} "},
    "in five": {"q": f"{RARE} "},
    "nowhere": {"q": f"{ABSENT} "},
    "two common words": {"q": f"{COMMON} {FREQUENT} "},
    "a beginning, while typing": {"q": FREQUENT[:3]},
    "in all but the newest 5 %": {"q": f"{OLD} "},
    "common words in quotes": {"q": f'"{COMMON} {FREQUENT}"'},
    "common, of one person": {"q": f"{COMMON} ", "person": "person-7@example.org"},
    "common, of a group": {"q": f"{COMMON} ", "group": "GROUP"},
    "common, failed": {"q": f"{COMMON} ", "state": "failed"},
}

MEASURES = {
    "7 days": {"days": "7"},
    "90 days, and the 90 before": {"days": "90"},
    "90 days, of a group": {"days": "90", "group": "GROUP"},
}


def pages(lead: User, repeats: int) -> int:
    storages = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    with override_settings(STORAGES=storages, REVIEW_REASON_MINUTES=0, ALLOWED_HOSTS=["*"]):
        return _pages(_Visitor(lead), repeats)


def _pages(visitor: "_Visitor", repeats: int) -> int:
    passed = []
    chat = Conversation.objects.order_by("created_at")[100].pk
    kinds = [
        ("list", LISTS, "/review/", LIST_MS),
        ("answers", ANSWERS, "/review/", LIST_MS),
        ("queue", QUEUES, "/review/queue/", LIST_MS),
        ("search", SEARCHES, "/review/", SEARCH_MS),
        ("measure", MEASURES, "/review/analytics/", MEASURES_MS),
        ("read", {"a conversation": {}}, f"/review/{chat}/", READ_MS),
    ]
    print(f"\nA page in ms: median, slowest of {repeats}; rows added to the record")
    for kind, queries, path, limit in kinds:
        for name, query in queries.items():
            before = AccessLogEntry.objects.count()
            times = [visitor.milliseconds(path, query) for _ in range(repeats)]
            rows = (AccessLogEntry.objects.count() - before) // repeats
            verdict = "ok" if median(times) <= limit else "TOO LONG"
            passed += [f"{kind}: {name}"] if verdict == "TOO LONG" else []
            line = f"  {kind:8}{name:32}{median(times):8.1f}{max(times):8.1f}{rows:6}  {verdict}"
            print(line, flush=True)
    passed += work.measure(visitor.lead, repeats)
    print("Passed: " + "; ".join(passed) if passed else "Within all limits.", flush=True)
    return 1 if passed else 0


class _Visitor:
    def __init__(self, lead: User) -> None:
        self.lead, self._client = lead, Client()
        self._client.force_login(lead)
        group = lead.groups.model.objects.get(name="Pupils")
        day = Conversation.objects.order_by("created_at")[50].created_at.date()
        self._known = {"GROUP": str(group.pk), "DAY": day.isoformat()}

    def milliseconds(self, path: str, query: dict[str, str]) -> float:
        address = f"{path}?{urlencode({k: self._known.get(v, v) for k, v in query.items()})}"
        connection.close()  # each request opens its own
        connection.ensure_connection()
        started = time.perf_counter()
        response = self._client.get(address)
        milliseconds = (time.perf_counter() - started) * 1000
        assert response.status_code == 200, (address, response.status_code)
        return milliseconds
