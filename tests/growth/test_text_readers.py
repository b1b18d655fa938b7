"""What reads foreign texts takes time in proportion to their length, whatever is in them."""

from collections.abc import Callable

import pytest

from tests.growth.hostile_texts import assert_all_linear
from tests.growth.pattern_attacks import uses
from tests.growth.text_readers import TEXT_READERS
from tests.support.variants import some_now

CASES = [
    pytest.param(call, id=f"{module}-{number}")
    for module, calls in TEXT_READERS.items()
    for number, call in enumerate(calls)
]
#: Modules with regular expressions that read nothing long from outside, and why. Their expressions
#: are measured by `test_regular_expressions.py` all the same.
OTHERS = {
    **dict.fromkeys(
        [
            "chat.database.errors",
            "chat.database_copy.table_copy",
            "chat.emulator.common.faults",
            "chat.emulator.service",
            "chat.generations.process.prune_now",
            "chat.review.access_log.seal_file",
            "chat.doctor.proxy.changed_responses",
            "chat.templatetags.lucide",
            "project.config.initial_limits",
            "project.config.mail",
            "project.config.tools",
            "project.static",
            "project.translations",
        ],
        "our own texts, settings and databases",
    ),
    **dict.fromkeys(
        [
            "chat.accounts.sessions.session_store",
            "chat.api_keys.keys",
            "chat.emulator.gateway",
            "chat.error_responses",
            "chat.lib.api_formats.program_errors",
            "chat.middleware.request_log",
            "chat.middleware.request_rate",
            "chat.upstream.sockets.transport",
            "chat.web.front_ends.starting",
            "chat.web.http.cors",
            "project.asgi.guards.charset_guard",
        ],
        "paths and headers, at most 32 KB",
    ),
    **dict.fromkeys(
        [
            "chat.conversations.images.relayed_images",
            "chat.conversations.search.tag_terms",
            "chat.upstream.catalogue.service_models",
            "chat.upstream.media.transcription_client",
            "chat.web.api.media.image_body",
            "chat.web.api.responses.kept_responses",
            "chat.web.chat.sidebar",
            "chat.web.review.queue.presenters",
            "chat.web.review.search.result_cursors",
            "chat.web.review.site_settings.provider_form",
            "chat.web.review.site_settings.tool_server_form",
            "chat.web.review.site_settings.views.tool_servers",
            "chat.web.collections.views.documents",
            "chat.web.search.presenters",
            "chat.web.streams.send_request",
            "chat.web.widget_sites.look_form",
            "chat.website_sources.reading",
            "chat.widget_sites.look.drafts",
        ],
        "one match at a place of a value, or of one that is cut before",
    ),
    **dict.fromkeys(
        [
            "chat.conversations.redaction",
            "chat.web.prompts.views",
        ],
        "a title, a note or the beginning of a prompt; the expression alone reads it",
    ),
    "chat.import_export.foreign.json_elements": "see test_foreign_imports.py",
    "chat.lib.pictures.picture_parts": "see test_split_inputs.py",
    **dict.fromkeys(
        [
            "chat.documents.reader.files",
            "chat.documents.reader.plain_text",
            "chat.documents.reader.web_page",
        ],
        "read a file in a process of its own, which is ended in time",
    ),
    "chat.documents.reading": "reads the ending of a file's name, which is in the query",
    "project.asgi.guards.form_counter": "see test_split_inputs.py",
}


@pytest.mark.parametrize("call", some_now(CASES, at_once=20))
def test_any_text_takes_linear_time(call: Callable[[str], object]) -> None:
    assert_all_linear(call)


def test_every_module_with_regular_expressions_is_measured_or_explained() -> None:
    modules = {use.place.partition(":")[0] for use in uses()[0]}
    assert modules - TEXT_READERS.keys() == OTHERS.keys()
