/** The dialog in which somebody fills in the variables of a prompt. What is typed is kept in the tab until it is used. */

import { t } from "../lib/i18n.js";

/** @typedef {import("./variables.js").Variable} Variable */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/**
 * Ask for the values. Cancelling keeps what was typed for the next time.
 * @param {{id: string, name: string}} prompt
 * @param {Variable[]} variables
 * @param {import("../browser/safe_storage.js").SafeStorage} storage
 * @returns {Promise<Record<string, string> | null>} the values by name; null if cancelled
 */
export function askForValues({ id, name }, variables, storage) {
  const key = `prompt:${id}`;
  const typed = read(storage.read(key));
  const fields = variables.map((variable, place) => fieldOf(variable, place, Object.hasOwn(typed, variable.name) ? typed[variable.name] : variable.value));
  const dialog = dialogWith(name, variables.map((variable, place) => row(variable, fields[place])));
  const values = () => Object.fromEntries(variables.map((variable, place) => [variable.name, valueOf(fields[place])]));
  document.body.append(dialog);
  return new Promise((resolve) => {
    /** @type {Record<string, string> | null} */
    let given = null;
    dialog.addEventListener("input", () => storage.write(key, JSON.stringify(values())));
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the keys of the page are not for a dialog
      const sends = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (sends) dialog.querySelector("form")?.requestSubmit();
    });
    dialog.addEventListener("submit", () => {
      given = values();
      storage.write(key, null);
    });
    dialog.querySelector("[data-cancel]")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(given);
    });
    dialog.showModal();
    fields[0]?.focus();
    if (fields[0] instanceof HTMLInputElement && fields[0].type === "text") fields[0].select();
  });
}

/** @param {string | null} stored @returns {Record<string, string>} */
function read(stored) {
  try {
    return JSON.parse(stored ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} name @param {HTMLElement[]} rows */
function dialogWith(name, rows) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "prompt-form-title");
  const form = document.createElement("form");
  form.className = "dialog-content";
  form.method = "dialog"; // closes the dialog once all fields are valid
  const title = document.createElement("h2");
  title.id = "prompt-form-title";
  title.dir = "auto";
  title.textContent = name;
  const buttons = document.createElement("div");
  buttons.className = "button-row";
  const cancel = button(t("Cancel"), "button");
  cancel.type = "button";
  cancel.dataset.cancel = "";
  buttons.append(cancel, button(t("Insert"), "button main"));
  form.append(title, ...rows, buttons);
  dialog.append(form);
  return dialog;
}

/** @param {string} text @param {string} className */
function button(text, className) {
  const element = document.createElement("button");
  element.className = className;
  element.textContent = text;
  return element;
}

/** @param {Variable} variable @param {Field} field */
function row(variable, field) {
  const element = document.createElement("div");
  const isCheckbox = variable.type === "checkbox";
  element.className = isCheckbox ? "field choice" : "field";
  const label = document.createElement("label");
  label.htmlFor = field.id;
  label.dir = "auto";
  label.textContent = variable.isRequired && !isCheckbox ? t("{label} (required)", { label: variable.label }) : variable.label;
  element.append(...(isCheckbox ? [field, label] : [label, field]));
  return element;
}

/** @param {Variable} variable @param {number} place @param {string} value @returns {Field} */
function fieldOf(variable, place, value) {
  const field = variable.type === "select" ? selectOf(variable) : variable.type === "textarea" ? document.createElement("textarea") : inputOf(variable);
  field.id = `prompt-field-${place}`;
  field.dir = ["text", "textarea", "select"].includes(variable.type) ? "auto" : "";
  field.autocomplete = "off";
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    field.checked = value === "true";
    return field;
  }
  if (field instanceof HTMLTextAreaElement) field.rows = 4;
  if (!(field instanceof HTMLSelectElement)) field.placeholder = variable.placeholder;
  field.required = variable.isRequired;
  field.value = value; // browsers drop what the type does not allow
  return field;
}

/** @param {Variable} variable */
function inputOf({ type, bounds }) {
  const input = document.createElement("input");
  input.type = type;
  if (type === "number") input.step = "any";
  for (const [name, value] of Object.entries(bounds)) input.setAttribute(name, value);
  return input;
}

/** @param {Variable} variable */
function selectOf({ options, value, placeholder }) {
  const select = document.createElement("select");
  if (!options.includes(value)) select.append(new Option(placeholder || t("Choose…"), ""));
  select.append(...options.map((each) => new Option(each, each)));
  return select;
}

/** @param {Field} field */
function valueOf(field) {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? String(field.checked) : field.value;
}
