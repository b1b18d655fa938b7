"""Ask a website's questions as its visitors would, and count which pages the answers cite."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.website.host import Website
from tests.support.servers.server import Server

ASK = """
import asyncio, json
from chat.accounts.principals import Principal
from chat.errors import ChatError
from chat.website_answers.trial import try_question
from chat.widget_sites.models import WidgetSite
site = WidgetSite.objects.select_related("owner").get(key={key!r})
principal = Principal("user:%d" % site.owner_id, site.owner_id)
async def ask_all():
    for question in {questions!r}:
        tried = await try_question(principal, site, question)
        found = [each.source for each in tried.found]
        cited = [each.source for each in tried.cited]
        print(json.dumps([found, cited, tried.is_by_words]))
asyncio.run(ask_all())
"""


@dataclass(frozen=True)
class Asked:
    """A question, and the paths of the pages of which its answer should cite one."""

    text: str
    pages: frozenset[str]


def read(path: Path) -> list[Asked]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [Asked(each["question"], frozenset(each["pages"])) for each in rows]


def ask(server: Server, key: str, asked: list[Asked], website: Website) -> None:
    """Print how many answers cite a right page, and how many had one among their passages."""
    questions = [each.text for each in asked]
    answers = server.run(ASK.format(key=key, questions=questions)).splitlines()
    cited_right = first_right = found_right = 0
    for each, line in zip(asked, answers, strict=True):
        found, cited, is_by_words = json.loads(line)
        right = {f"{website.origin}{path}" for path in each.pages}
        assert not is_by_words, "a question had no vector"
        cited_right += bool(right & set(cited))
        first_right += found[:1] != [] and found[0] in right
        found_right += bool(right & set(found))
        if not right & set(cited):
            names = [each.removeprefix(website.origin) for each in dict.fromkeys(found)]
            print(f"    not cited: {each.text} ({len(cited)} cited; found: {', '.join(names[:4])})")
    print(f"  of {len(asked)} questions, a right page is")
    print(f"    the first passage's: {first_right}; among the passages: {found_right}")
    print(f"    cited in the answer: {cited_right}", flush=True)
