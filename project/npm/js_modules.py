"""What scripts fetch when it is first wanted: the name they import → the address below /static/.

A page has one script, with all it needs to read and write. A part that most visits do without is a
bundle of its own: name it here, in `BUNDLES` of the Makefile, and import it with `onDemand`
(static/js/browser/on_demand.js). It carries its own copy of what it imports, so it is handed what
has a state.
"""

from project.npm import npm_packages

#: Parts of our own.
PARTS = {
    "markdown": "js/markdown/markdown.js",
    "prompts": "js/prompts/prompts.js",
    "quote_button": "js/controllers/composer/quote_button.js",
    "report_dialog": "js/controllers/feedback/report_dialog.js",
    "scroll_to_hit": "js/controllers/transcript/scroll_to_hit.js",
    "turn_tools": "js/controllers/editing/turn_tools.js",
}

MODULES = {
    **npm_packages.MODULES,
    **PARTS,
    "htmx": "django_htmx/htmx-2.min.js",
}
