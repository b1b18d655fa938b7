"""What reads texts of members, visitors, models, other programs and websites, by module.

A module that uses regular expressions is listed here, or in `test_text_readers.py` with the reason
why it needs no measurement.
"""

from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

from chat.conversations import attached_files, program_chats
from chat.conversations.prompt import PromptMessage
from chat.conversations.search import query, snippet
from chat.conversations.summaries.models import ChatSummary
from chat.conversations.summaries.prompt import with_summaries
from chat.conversations.turns import title_from
from chat.emulator.common import tokens
from chat.emulator.requests.tools import Tool, Tools
from chat.emulator.scripts import answers, titles, tool_choice
from chat.emulator.scripts import contradictions as emulated_contradictions
from chat.emulator.scripts import passages as emulated_passages
from chat.emulator.scripts.passages import PASSAGE
from chat.emulator.stubs import rendering as emulated_rendering
from chat.errors import BadRequest
from chat.generations.delivery.encoders.html import HtmlEncoder
from chat.generations.log.frames import frames_of
from chat.generations.send import document_results
from chat.generations.titles import title_prompt
from chat.import_export import exported_files, file_names, json_text, markdown
from chat.import_export.docx.elements import Numbering, plain_paragraph
from chat.import_export.docx.markup import answer_markup
from chat.import_export.foreign import (
    chatgpt,
    chatgpt_citations,
    cited,
    librechat_tools,
    open_webui_blocks,
    values,
)
from chat.knowledge import given, passages, reading, text_fragments
from chat.knowledge.citations import CitationFilter
from chat.lib import breakable_text, combining, text, words
from chat.lib.worker_thread import finished
from chat.review.cases import folding
from chat.review.staff_notices import mentions
from chat.tools import calculator, search_my_chats
from chat.tools.mcp import listing
from chat.tools.mcp.sign_in import metadata
from chat.tools.tool import ToolFailed
from chat.tools.web import addresses as web_addresses
from chat.upstream.chunks import decode_chunk
from chat.upstream.errors import ReportedError, error_for
from chat.upstream.events import Text
from chat.upstream.text_calls import TextCalls
from chat.upstream.think_tags import ThinkSplitter
from chat.web.api.chat_request import ChatRequest
from chat.web.http import json_body
from chat.web.http.files import csv_file
from chat.website_answers import replies
from chat.website_sources import addresses, sitemaps
from chat.widget_sites import origins
from chat.widget_sites.site_check import policies, tags
from tests.growth import document_readers, personal_data_readers

OFFERED = tuple(Tool(name) for name in ("web_search", "fetch_page", "calculator", "remember"))


def unrefused(call: Callable[[str], object]) -> Callable[[str], None]:
    """Return `call` for texts that it may refuse."""

    def called(text: str) -> None:
        with suppress(BadRequest, ValueError, ToolFailed):
            call(text)

    return called


def _snippet_of(typed: str) -> Callable[[str], object]:
    wanted = query.parse(typed)
    return lambda text: snippet.snippet(typed + " " + text, wanted)


def _html(text: str) -> None:
    HtmlEncoder().frames(b"".join(frames_of(Text(text), 1)))


def _json(text: str) -> None:
    body = '{"model":"x","messages":[{"role":"user","content":"' + text + '"}]}'
    json_body.read_json(body.encode(), ChatRequest)


def _wrong_value(text: str) -> None:
    shown = text.replace("\\", "").replace('"', "")
    body = '{"model":"x","messages":[{"role":"' + shown + '","content":""}]}'
    json_body.read_json(body.encode(), ChatRequest)


def _unknown_key(text: str) -> None:
    body = '{"model":"x","messages":[{"role":"user","content":"' + text + '"}]}'
    json_body._refusal(f"Object contains unknown field `{body}`")


def _policy(text: str) -> None:
    load = policies.Load(policies.SCRIPT, "https://example.org/w.js")
    policies.allows(policies.parse([f"script-src {text}"]), load, "https://example.org/")


def _call(text: str) -> None:
    function = {"name": text, "arguments": text}
    calls = ({"id": "1", "type": "function", "function": function},)
    program_chats.turns_of([PromptMessage("user", text), PromptMessage("assistant", text, calls)])


def _text_calls(text: str) -> None:
    for mark in ("", "<tool_call>"):
        reader = TextCalls(["f"], is_json=False)
        for piece in (mark, text, *text[:500]):
            reader.feed(piece)
        reader.calls()
        reader.rest()


CITED_SOURCES = [cited.named_source("A page", "https://a.example/")]
SEARCHED = {"web_search": {"organic": [{"link": "https://a.example/"}]}}
INTERNAL_PASSAGE = given.GivenPassage(
    1, UUID(int=0), "a", 0, 1, address="https://a.example/b", is_for_team=True
)
TEXT_READERS: dict[str, list[Callable[[str], object]]] = {
    **document_readers.READERS,
    **personal_data_readers.READERS,
    "chat.conversations.attached_files": [
        attached_files.split_files,
        attached_files.with_image_notes,
        title_from,
        lambda text: attached_files.file_block(text, text),
        lambda text: attached_files.image_line(text, text),
    ],
    "chat.conversations.program_chats": [_call],
    "chat.review.cases.folding": [folding.fold_words, folding.without_invisible],
    "chat.review.staff_notices.mentions": [
        lambda text: mentions._named(text[: mentions.MAX_NAME_CHARS], {}),
        mentions._BEGIN.findall,
        mentions._WORD.match,
    ],
    "chat.knowledge.citations": [
        CitationFilter({1}).feed,
        lambda text: [CitationFilter({1}).feed(piece) for piece in text[:1000]],
        lambda text: CitationFilter({1}).feed("【" + text),
    ],
    "chat.knowledge.given": [
        lambda text: given.GivenPassages(
            [given.GivenPassage(1, UUID(int=0), text, 0, 1, 0, text, text)]
        ).as_prompt(),
        given.block_for_people,
        given.foreign_block,
        lambda text: given.block_for_people(f'<documents>\n<passage number="1" document="{text}'),
    ],
    "chat.tools.calculator": [unrefused(calculator.calculate)],
    "chat.tools.mcp.listing": [lambda text: listing.function_name("tides", text)],
    "chat.tools.mcp.sign_in.metadata": [
        metadata.challenge_in,
        lambda text: metadata.challenge_in(f'Bearer scope="{text}'),
    ],
    "chat.tools.web.addresses": [
        lambda text: web_addresses.addresses_in([text]),
        lambda text: web_addresses.addresses_in([f"https://{text}"]),
    ],
    "chat.emulator.scripts.tool_choice": [
        lambda text: tool_choice.chosen(Tools(OFFERED), text),
        lambda text: tool_choice.chosen(Tools(OFFERED), f"search the web {text}"),
    ],
    "chat.website_answers.replies": [
        lambda text: replies.reply_from(text, [INTERNAL_PASSAGE]),
        lambda text: replies.spoken_by_visitor(text),
    ],
    "chat.knowledge.text_fragments": [
        text_fragments.quoted_words,
        lambda text: text_fragments.linked("https://a.example", (text, text), text[:100]),
    ],
    "chat.knowledge.passages": [
        *(lambda text, head=head: finished(passages.split(head + text)) for head in ("", "# ")),
        lambda text: finished(passages.split(f"| {text}\n|---|\n" + text)),
    ],
    "chat.knowledge.reading": [
        lambda text: reading.part_from(f"[Page 1]\n{text}", 0, has_pages=True),
        lambda text: reading.part_around(text, len(text) // 2, len(text), has_pages=False),
    ],
    "chat.lib.words": [words.fold, words.words_of],
    "chat.conversations.search.query": [query.parse],
    "chat.conversations.search.snippet": [
        *map(_snippet_of, ["a", "a b", "aaa", '"a a"', "東東", '"東 a"', "a 東", "x"])
    ],
    "chat.emulator.common.tokens": [tokens.count],
    "chat.emulator.scripts.answers": [answers.quote],
    "chat.emulator.scripts.contradictions": [
        lambda text: list(emulated_contradictions._statements(text)),
    ],
    "chat.emulator.scripts.passages": [
        lambda text: list(emulated_passages._quotes(PASSAGE.findall(text), {"a"})),
        lambda text: PASSAGE.findall(f'<passage number="1" document="{text}">\n{text}\n</passage>'),
    ],
    "chat.conversations.summaries.prompt": [
        lambda text: with_summaries(
            [], [1], [ChatSummary(last_message_id=1, text=text, covered_messages=1)]
        )
    ],
    "chat.emulator.stubs.rendering": [
        emulated_rendering._rendered,
        lambda text: emulated_rendering._rendered(f"<template {text}"),
    ],
    "chat.emulator.scripts.titles": [lambda text: titles._AROUND_WORDS.sub("", text)],
    "chat.generations.delivery.encoders.html": [_html],
    "chat.generations.send.document_results": [
        lambda text: document_results._EMPTY.sub("", text),
        lambda text: document_results._EMPTY.sub("", f'<passage number="1"{text}'),
    ],
    "chat.generations.send.side_answers": [
        lambda text: title_prompt.title_request(text, text),
        lambda text: title_prompt.title_of(text, text),
    ],
    "chat.import_export.exported_files": [
        exported_files.is_attached,
        lambda text: exported_files.is_attached(f"collections/001 {text}"),
    ],
    "chat.import_export.file_names": [lambda text: file_names.file_name(text, "x")],
    "chat.import_export.markdown": [markdown.quoted, markdown.closed],
    "chat.import_export.docx.elements": [plain_paragraph, Numbering().relation_of],
    "chat.import_export.docx.markup": [lambda text: answer_markup(text, Numbering())],
    "chat.import_export.foreign.chatgpt": [chatgpt._id_in],
    "chat.import_export.foreign.chatgpt_citations": [
        lambda text: chatgpt_citations.cited_text(text, [], []),
        lambda text: chatgpt_citations.cited_text(f"\ue200url\ue202{text}\ue202x\ue201", [], []),
        lambda text: chatgpt_citations.cited_text(f"\ue200url\ue202x\ue202{text}\ue201", [], []),
    ],
    "chat.import_export.foreign.cited": [
        lambda text: cited._literal_numbers([text]),
        lambda text: cited.NumberedSources([], []).in_place(text, CITED_SOURCES),
    ],
    "chat.import_export.foreign.librechat_tools": [
        lambda text: librechat_tools.LibreCitations([SEARCHED]).in_text(text),
    ],
    "chat.import_export.foreign.open_webui_blocks": [
        lambda text: open_webui_blocks.read_answer(text, None),
        lambda text: open_webui_blocks.read_answer(f'<details type="tool_calls" a="{text}', None),
    ],
    "chat.import_export.foreign.values": [
        values.file_note,
        values.moment,
    ],
    "chat.import_export.json_text": [
        lambda text: json_text.repaired(text.encode("utf-8", "surrogatepass")),
        lambda text: json_text.repaired(b"\\u" + text.encode("utf-8", "surrogatepass")),
    ],
    "chat.lib.breakable_text": [
        breakable_text.breakable,
        lambda text: breakable_text.breakable("\u05d0" + text),
        lambda text: breakable_text.breakable(text + "\u05d0"),
    ],
    "chat.lib.combining": [combining.limit_marks],
    "chat.lib.text": [text.clean, text.visible],
    "chat.tools.search_my_chats": [search_my_chats._plain],
    "chat.upstream.chunks": [
        unrefused(decode_chunk),
        unrefused(lambda text: decode_chunk('{"response":"' + text + '"}')),
    ],
    "chat.upstream.text_calls": [_text_calls],
    "chat.upstream.think_tags": [lambda text: ThinkSplitter(starts_open=True).feed(text)],
    "chat.upstream.errors": [lambda text: error_for(ReportedError(text, text))],
    "chat.web.http.files.csv_file": [lambda text: csv_file.row([text, text])],
    "chat.web.http.json_body": [unrefused(_json), unrefused(_wrong_value), _unknown_key],
    "chat.website_sources.addresses": [
        lambda text: addresses.normalised(f"https://a.example/{text}"),
        lambda text: addresses.normalised(f"https://a.example/?{text}"),
        addresses.is_likely_page,
        addresses.pattern_of,
    ],
    "chat.website_sources.sitemaps": [
        lambda text: sitemaps.read(text.encode("utf-8", "surrogatepass")),
        lambda text: sitemaps.read(f"<urlset><url><loc>{text}".encode("utf-8", "surrogatepass")),
    ],
    "chat.widget_sites.origins": [
        unrefused(origins.read_origin),
        unrefused(lambda text: origins.read_origin(f"https://{text}")),
        lambda text: origins.origin_of(f"https://{text}"),
        lambda text: origins.matches(f"https://{text}", ["https://*.example.org"]),
    ],
    "chat.widget_sites.site_check.policies": [_policy],
    "chat.widget_sites.site_check.tags": [
        tags.tags_of,
        lambda text: tags.tags_of(f"<script {text}>"),
        lambda text: tags.tags_of(f'<meta a="{text}'),
    ],
}
