/** What `make lint` asks of scripts: the recommended rules, and no sinks that Trusted Types block. */

import js from "@eslint/js";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import globals from "globals";

const MARKUP = "Strings are not HTML here: build elements; see static/js/htmx_policy.js for the one exception.";

/** Ways from a string to HTML or code. */
const SINKS = [
  ...["innerHTML", "outerHTML", "srcdoc", "insertAdjacentHTML", "setHTMLUnsafe", "parseHTMLUnsafe", "createContextualFragment"].map(
    (property) => ({ property, message: MARKUP }),
  ),
  ...["write", "writeln"].map((property) => ({ object: "document", property, message: MARKUP })),
  { object: "trustedTypes", property: "createPolicy", message: MARKUP },
];

const COMPOSING = "Ask static/js/browser/ime.js: Safari says it in another way.";

/** Types say what something is: `any` in a comment would take the compiler's word away. */
const noAny = {
  meta: { messages: { any: "Say which type this is; `unknown` where nobody can know." } },
  /** @param {import("eslint").Rule.RuleContext} context */
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const types = comment.value.match(/@\w+ \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g) ?? [];
        if (types.some((type) => /(?<!["\w])any(?!["\w])/.test(type))) context.report({ loc: comment.loc, messageId: "any" });
      }
    },
  }),
};

export default [
  { ignores: ["**/.venv/", "build/", "**/node_modules/", "var/", "tests/guides/build/"] },
  {
    ...js.configs.recommended,
    files: ["**/*.{js,mjs}"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...js.configs.recommended.rules,
      "eqeqeq": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "no-restricted-properties": ["error", ...SINKS, { property: "isComposing", message: COMPOSING }],
    },
  },
  {
    files: ["static/**/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["static/js/**/*.js"],
    plugins: { "import-x": importX },
    settings: { "import-x/resolver-next": [createNodeResolver({ extensions: [".js"] })] },
    rules: {
      "import-x/no-cycle": "error",
      "import-x/no-self-import": "error",
      "import-x/no-duplicates": "error",
      "import-x/no-unresolved": "error",
      "import-x/named": "error",
    },
  },
  {
    files: ["static/**/*.js"],
    plugins: { runnel: { rules: { "no-any": noAny } } },
    rules: { "runnel/no-any": "error" },
  },
  {
    files: ["static/js/htmx_policy.js", "static/js/browser/notice_worker.js", "static/js/browser/ime.js"], // decision 22
    rules: { "no-restricted-properties": "off" },
  },
  {
    files: ["benchmarks/**/*.js"], // the usual way to show Markdown, beside ours
    rules: { "no-restricted-properties": "off" },
  },
  {
    files: ["benchmarks/**/*.js", "tests/**/*.{js,mjs}", "*.js"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: { "no-script-url": "off" }, // attacks are told in words
  },
];
