/** A block of code as nodes: a head with the language and what can be done with the code, and the code. */

import { t } from "../lib/i18n.js";
import { showBidiControls } from "./characters.js";
import { languageName } from "./languages.js";
import { element, text } from "./nodes.js";

/** @param {import("marked").Tokens.Code} token */
export function codeBlock({ text: source, lang = "" }) {
  const language = lang.split(/[\s{,:]/, 1)[0].toLowerCase().slice(0, 30);
  const name = languageName(language);
  const head = element("div", { class: "code-block-head" }, [
    element("span", {}, [text(name)]),
    button("number-lines", t("Numbers"), t("Line numbers"), { "aria-pressed": "false" }),
    button("wrap-code", t("Wrap"), t("Wrap lines"), { "aria-pressed": "false" }),
    button("save-code", t("Download"), t("Download code")),
    button("copy-code", t("Copy"), t("Copy code")),
  ]);
  const pre = element("pre", { dir: "ltr", tabindex: "0", role: "group", "aria-label": `Code: ${name}` }, [
    element("code", {}, [text(showBidiControls(source))]),
  ]);
  const node = element("div", { class: "code-block", "data-language": language }, [head, pre]);
  return { ...node, leaf: /** @type {const} */ ({ kind: "code", source, language }) };
}

/**
 * @param {string} kind
 * @param {string} label
 * @param {string} name
 * @param {Record<string, string>} [state]
 */
function button(kind, label, name, state) {
  return element("button", { type: "button", class: `text-button ${kind}`, "aria-label": name, ...state }, [text(label)]);
}
