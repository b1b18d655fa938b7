"""Show the passages of documents that an answer is based on.

Members get links to the documents that they may read. Others see names only, and readers outside
the site only those that the answer cites.
"""

from collections.abc import Iterable, Mapping

import msgspec

from chat.conversations.models import Message
from chat.conversations.sources.sources import passages_of
from chat.knowledge.access import readable_documents
from chat.knowledge.citations import cited_numbers
from chat.knowledge.given import GivenPassage
from chat.web.messages.message_out import Audience, SourceOut

Sources = tuple[SourceOut, ...]
INSIDE = {Audience.MEMBER, Audience.STAFF}


def sources_for(
    messages: Iterable[Message], audience: Audience, user_id: int = 0
) -> Mapping[int, Sources]:
    """Return the sources of those messages that have any."""
    given = {
        each.pk: (each.text, passages)
        for each in messages
        if each.role == Message.Role.ASSISTANT and not each.hidden_at
        if (passages := passages_of(each)) is not None
    }
    is_member = audience is Audience.MEMBER
    named = {passage.document for _text, passages in given.values() for passage in passages}
    readable = readable_documents(user_id, named) if is_member and named else set()
    shown: dict[int, Sources] = {}
    for pk, (text, passages) in given.items():
        cited = cited_numbers(text, {each.number for each in passages if not each.is_related})
        whole = tuple(
            _shown(each, each.number in cited, each.document in readable) for each in passages
        )
        is_inside = audience in {Audience.MEMBER, Audience.STAFF}
        shown[pk] = (
            whole
            if is_inside
            else tuple(each for each in whole if each.is_cited or each.is_related)
        )
    return shown


def _shown(passage: GivenPassage, is_cited: bool, is_readable: bool) -> SourceOut:
    source = SourceOut(
        passage.number,
        passage.name,
        passage.page,
        passage.link,
        is_cited=is_cited,
        is_related=passage.is_related,
    )
    if not is_readable:
        return source
    place = f"{passage.start}-{passage.end}"
    return msgspec.structs.replace(source, document=str(passage.document), passage=place)
