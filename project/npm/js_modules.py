"""List modules that scripts load on demand: import name → path below /static/.

A page has one script with all it needs to read and write. What most visits do not need is a bundle
of its own: add it here and to `BUNDLES` in the Makefile, and import it with `onDemand`
(static/js/browser/on_demand.js). It contains its own copy of its imports, so pass it anything that
has state.
"""

from project.npm import npm_packages

#: Modules of our own.
PARTS = {
    "answer_cards": "js/controllers/widget/answer_cards.js",
    "answer_details": "js/controllers/transcript/answer_details.js",
    "answer_extras": "js/controllers/transcript/answer_extras.js",
    "answer_notices": "js/controllers/chat/answer_notices.js",
    "code_preview": "js/markdown/preview/code_preview.js",
    "code_tools": "js/markdown/code_tools/code_tools.js",
    "command_palette": "js/controllers/commands/command_palette.js",
    "delayed_send": "js/controllers/composer/delayed_send.js",
    "dictation": "js/controllers/composer/dictation.js",
    "file_reader": "js/controllers/composer/file_reader.js",
    "image_dialog": "js/controllers/transcript/image_dialog.js",
    "markdown": "js/markdown/markdown.js",
    "model_menu": "js/controllers/composer/model_menu.js",
    "organizer": "js/controllers/sidebar/organizer.js",
    "original_link": "js/controllers/transcript/original_link.js",
    "prompts": "js/prompts/prompts.js",
    "quote_button": "js/controllers/composer/quote_button.js",
    "reading_aloud": "js/controllers/speech/reading_aloud.js",
    "rich_text": "js/markdown/rich_text.js",
    "report_dialog": "js/controllers/feedback/report_dialog.js",
    "scroll_to_hit": "js/controllers/transcript/scroll_to_hit.js",
    "side_by_side": "js/controllers/comparing/side_by_side.js",
    "turn_tools": "js/controllers/editing/turn_tools.js",
    "visitor_files": "js/controllers/widget/visitor_files.js",
}

MODULES = {
    **npm_packages.MODULES,
    **PARTS,
    "code_preview.css": "css/code_preview.css",
    "sharing.css": "css/sharing.css",
    "side_by_side.css": "css/side_by_side.css",
    "htmx": "django_htmx/htmx-2.min.js",
}
