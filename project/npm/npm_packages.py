"""List the files of npm packages that are served; nothing else of `node_modules` is.

These scripts import nothing, so they contain no names to map to hashed files. A script that names a
source map needs it here: without it, collectstatic cannot hash the script.
"""

import json
from pathlib import Path

PACKAGES = json.loads((Path(__file__).parents[2] / "package.json").read_text())["dependencies"]

#: Languages for code highlighting; static/js/markdown/languages.js has their names.
LANGUAGES = (
    "bash", "c", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "go",
    "graphql", "haskell", "ini", "java", "javascript", "json", "julia", "kotlin", "latex",
    "lua", "makefile", "markdown", "nginx", "perl", "php", "powershell", "python", "r", "ruby",
    "rust", "scala", "scss", "sql", "swift", "typescript", "xml", "yaml",
)  # fmt: skip

#: The version is in the path of the folder, so its files never change: project/static.py.
LANGUAGES_PATH = f"npm/highlight/languages-{PACKAGES['@highlightjs/cdn-assets']}"

#: Path below /static/ → folder in `node_modules`, files.
FOLDERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "npm/marked": ("marked/lib", ("marked.esm.js", "marked.esm.js.map")),
    "npm/remend": ("remend/dist", ("index.js",)),
    "npm/highlight": ("@highlightjs/cdn-assets/es", ("core.min.js",)),
    LANGUAGES_PATH: (
        "@highlightjs/cdn-assets/es/languages",
        tuple(f"{name}.min.js" for name in LANGUAGES),
    ),
    "npm/mermaid": ("@mermaid-js/tiny/dist", ("mermaid.tiny.js",)),
    "npm/temml": ("temml/dist", ("temml.mjs", "Temml-Local.css", "Temml.woff2")),
}

#: Import name → path below /static/; with a slash at the end, all files of a folder.
MODULES = {
    "marked": "npm/marked/marked.esm.js",
    "remend": "npm/remend/index.js",
    "highlight": "npm/highlight/core.min.js",
    "highlight/": f"{LANGUAGES_PATH}/",  # all of them, in a line instead of 3 KB of each page
    "temml": "npm/temml/temml.mjs",
    "temml.css": "npm/temml/Temml-Local.css",
}
