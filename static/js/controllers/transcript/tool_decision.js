/** The form in which a person allows or refuses a call of a tool: its arguments can be changed before. */

import { t } from "../../lib/i18n.js";
import { valuesOf } from "../../models/tool_arguments.js";

/** @typedef {import("../../api/tool_calls.js").Decision} Decision */
/** @typedef {import("../../types.js").Problem} Problem */

const CHARS_PER_LINE = 36;
/** Of JSON on many lines: deeper, each line begins with hundreds of blanks. */
const MAX_DEPTH = 12;

export class DecisionForm {
  root = document.createElement("form");
  #tool;
  #id;
  #values;
  /** @type {Map<string, HTMLTextAreaElement>} */
  #fields = new Map();
  #scope;
  #words;
  #problem = document.createElement("p");
  #decide;

  /**
   * @param {import("../../types.js").Tool} tool
   * @param {string} title what the call does
   * @param {(decision: Decision) => Promise<Problem | null>} decide
   */
  constructor(tool, title, decide) {
    this.#decide = decide;
    this.#tool = tool.tool;
    this.#id = tool.id;
    this.#values = valuesOf(tool.arguments);
    this.root.className = "tool-call-decision field";
    this.root.setAttribute("aria-label", title);
    for (const [name, value] of Object.entries(this.#values)) this.root.append(this.#field(name, value));
    this.#scope = scopes();
    this.#words = document.createElement("input");
    this.#words.maxLength = 500;
    this.#words.dir = "auto";
    this.#words.placeholder = t("Reason, if you refuse (optional)");
    this.#words.setAttribute("aria-label", this.#words.placeholder);
    this.#problem.className = "form-error";
    this.#problem.role = "alert";
    this.#problem.hidden = true;
    const allow = button(t("Allow"), "button main");
    const refuse = button(t("Refuse"), "button");
    refuse.type = "button";
    refuse.addEventListener("click", () => this.#send({ is_allowed: false, words: this.#words.value }));
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send({ is_allowed: true, scope: this.#scope.value, arguments: this.#arguments() });
    });
    const row = document.createElement("div");
    row.className = "button-row";
    row.append(allow, inField(this.#scope), refuse);
    this.root.append(row, inField(this.#words), this.#problem);
  }

  /** @param {string} name @param {unknown} value */
  #field(name, value) {
    const field = document.createElement("textarea");
    field.value = typeof value === "string" ? value : JSON.stringify(value, null, isDeep(value) ? 0 : 2);
    // Nothing that is allowed may be out of sight: a line may hold few characters.
    const lines = field.value.split("\n").map((line) => Math.ceil(line.length / CHARS_PER_LINE) || 1);
    field.rows = Math.min(12, lines.reduce((sum, each) => sum + each));
    field.dir = "auto";
    this.#fields.set(name, field);
    const label = document.createElement("label");
    label.textContent = labelOf(this.#tool, name);
    label.htmlFor = field.id = `${this.#id}-${name}`;
    return inField(label, field);
  }

  /** Return the arguments as they are now; "" if nothing was changed, or they are too long to be shown whole. */
  #arguments() {
    const now = Object.fromEntries([...this.#fields].map(([name, { value }]) => [name, typeof this.#values[name] === "string" ? value : parsed(value)]));
    return JSON.stringify(now) === JSON.stringify(this.#values) ? "" : JSON.stringify(now);
  }

  /** @param {Decision} decision */
  async #send(decision) {
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (this.root.querySelectorAll("button"));
    for (const each of buttons) each.disabled = true;
    const problem = await this.#decide(decision);
    if (!problem) return;
    for (const each of buttons) each.disabled = false;
    this.#problem.textContent = problem.message;
    this.#problem.hidden = false;
  }
}

function scopes() {
  const select = document.createElement("select");
  select.setAttribute("aria-label", t("For how long"));
  select.append(new Option(t("This time"), "once"), new Option(t("In this chat"), "chat"));
  const { toolsAlways } = document.getElementById("main")?.dataset ?? {};
  if (toolsAlways !== "no") select.append(new Option(t("Always"), "always"));
  return select;
}

/** @param {string} text @param {string} className */
function button(text, className) {
  const element = document.createElement("button");
  element.className = className;
  element.textContent = text;
  return element;
}

/** @param {HTMLElement[]} parts */
function inField(...parts) {
  const field = document.createElement("div");
  field.className = "field";
  field.append(...parts);
  return field;
}

/** Return what an argument is called: as the tool's author did, or in a person's words. @param {string} tool @param {string} name */
function labelOf(tool, name) {
  return tool === "remember" && name === "text" ? t("What to remember") : name;
}

/** Return whether JSON has so many levels that its indentation would be much longer than itself. @param {unknown} value */
function isDeep(value) {
  let level = [value];
  for (let depth = 0; depth < MAX_DEPTH && level.length; depth += 1) {
    level = level.flatMap((each) => (each && typeof each === "object" ? Object.values(each) : []));
  }
  return level.length > 0;
}

/** Return the value of JSON, or the text itself, which the server then refuses in words. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
