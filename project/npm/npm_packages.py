"""What the browser gets of npm packages: these files, and nothing else of `node_modules`.

Each script imports nothing, so there are no names in them to lead to hashed ones. A source map goes
along where a script names one: without it collectstatic could not hash the script.
"""

#: Languages that code may be coloured in; static/js/markdown/languages.js has their names.
LANGUAGES = (
    "bash", "c", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "go",
    "graphql", "haskell", "ini", "java", "javascript", "json", "julia", "kotlin", "latex",
    "lua", "makefile", "markdown", "nginx", "perl", "php", "powershell", "python", "r", "ruby",
    "rust", "scala", "scss", "sql", "swift", "typescript", "xml", "yaml",
)  # fmt: skip

#: Address below /static/ → folder in `node_modules`, files.
FOLDERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "npm/marked": ("marked/lib", ("marked.esm.js", "marked.esm.js.map")),
    "npm/remend": ("remend/dist", ("index.js",)),
    "npm/highlight": ("@highlightjs/cdn-assets/es", ("core.min.js",)),
    "npm/highlight/languages": (
        "@highlightjs/cdn-assets/es/languages",
        tuple(f"{name}.min.js" for name in LANGUAGES),
    ),
    "npm/temml": ("temml/dist", ("temml.mjs", "Temml-Local.css", "Temml.woff2")),
}

#: What scripts import → address below /static/.
MODULES = {
    "marked": "npm/marked/marked.esm.js",
    "remend": "npm/remend/index.js",
    "highlight": "npm/highlight/core.min.js",
    **{f"highlight/{name}": f"npm/highlight/languages/{name}.min.js" for name in LANGUAGES},
    "temml": "npm/temml/temml.mjs",
    "temml.css": "npm/temml/Temml-Local.css",
}
