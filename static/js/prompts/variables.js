/**
 * The variables of a prompt, in Open WebUI's notation: `{{name}}`, or with a type and properties
 * `{{tone | select:options=["kind","formal"]:default="kind":required}}`. Pure.
 */

// A name of up to 60 characters, and a definition in which braces are allowed in quotes only.
const VARIABLE = /\{\{\s*([^\s{}|][^{}|\n]{0,59}?)\s*(?:\|((?:"(?:\\.|[^"\\])*"|[^"{}])*))?\}\}/gu;
const PLACEHOLDER = /\{[^{}\n]{1,60}\}/u;

/** @type {VariableType[]} */
const TYPES = ["text", "textarea", "number", "select", "checkbox", "date", "time", "datetime-local", "month", "email", "url", "tel", "color"];

/**
 * @typedef {"text" | "textarea" | "number" | "select" | "checkbox" | "date" | "time" | "datetime-local" | "month" | "email" | "url" | "tel" | "color"} VariableType
 * @typedef {object} Variable
 * @property {string} name
 * @property {string} label
 * @property {VariableType} type
 * @property {string} value the default
 * @property {string} placeholder
 * @property {boolean} isRequired
 * @property {string[]} options
 * @property {Record<string, string>} bounds attributes: `min`, `max` and `step`
 */

/**
 * Return each variable once, in the order of the text. The first definition counts.
 * @param {string} text
 */
export function variablesOf(text) {
  /** @type {Map<string, Variable>} */
  const found = new Map();
  const defined = new Set();
  for (const [, name, definition] of text.matchAll(VARIABLE)) {
    if (found.has(name) && (defined.has(name) || definition === undefined)) continue;
    if (definition !== undefined) defined.add(name);
    found.set(name, variable(name, definition ?? ""));
  }
  return [...found.values()];
}

/**
 * Put values in the place of the variables. Braces in a value stay as they are.
 * @param {string} text
 * @param {Record<string, string>} values by name
 * @returns {{text: string, gap: [number, number] | null}} the text, and where its first `{placeholder}` is, unless in a value
 */
export function fillIn(text, values) {
  let filled = "";
  let from = 0;
  /** @type {[number, number] | null} */
  let gap = null;
  const add = (/** @type {string} */ piece) => {
    const found = gap ? null : PLACEHOLDER.exec(piece);
    if (found) gap = [filled.length + found.index, filled.length + found.index + found[0].length];
    filled += piece;
  };
  for (const match of text.matchAll(VARIABLE)) {
    add(text.slice(from, match.index));
    filled += Object.hasOwn(values, match[1]) ? values[match[1]] : "";
    from = match.index + match[0].length;
  }
  add(text.slice(from));
  return { text: filled, gap };
}

/**
 * Return the values that nobody needs to type, under Open WebUI's names.
 * @param {Date} now
 * @param {string} language
 * @returns {Record<string, string>}
 */
export function knownValues(now, language) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}`;
  return {
    CURRENT_DATE: date,
    CURRENT_TIME: time,
    CURRENT_DATETIME: `${date} ${time}`,
    CURRENT_WEEKDAY: new Intl.DateTimeFormat(language, { weekday: "long" }).format(now),
    CURRENT_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
    USER_LANGUAGE: language,
  };
}

/** @param {string} name @param {string} definition @returns {Variable} */
function variable(name, definition) {
  const [first, ...parts] = split(definition, ":").map((part) => part.trim());
  const kind = first.replace(/^type=/u, "").replace(/^"(.*)"$/u, "$1").toLowerCase();
  const properties = Object.fromEntries(parts.filter(Boolean).map(property));
  const type = kind === "range" ? "number" : (TYPES.find((each) => each === kind) ?? "text");
  const options = Array.isArray(properties.options) ? properties.options.map(String) : [];
  const bounds = ["min", "max", "step"].filter((each) => isPlain(properties[each]) && properties[each] !== true);
  return {
    name,
    label: isPlain(properties.label) ? String(properties.label) : readable(name),
    type: type === "select" && !options.length ? "text" : type,
    value: isPlain(properties.default) ? String(properties.default) : "",
    placeholder: isPlain(properties.placeholder) ? String(properties.placeholder) : "",
    isRequired: properties.required === true || properties.required === "true",
    options,
    bounds: Object.fromEntries(bounds.map((each) => [each, String(properties[each])])),
  };
}

/** @param {string} part @returns {[string, unknown]} */
function property(part) {
  const [name, ...value] = split(part, "=");
  return [name.trim().toLowerCase(), value.length ? parsed(value.join("=").trim()) : true];
}

/** Return a value in JSON, or else as it is written. @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {unknown} value */
function isPlain(value) {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** @param {string} name */
function readable(name) {
  const words = name.replaceAll(/[_-]+/gu, " ").trim();
  return words ? words[0].toUpperCase() + words.slice(1) : name;
}

/**
 * Split at a character outside of quotes and brackets.
 * @param {string} text
 * @param {string} separator
 */
function split(text, separator) {
  const parts = [""];
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|[\s\S]/gu)) {
    if (token === "[") depth++;
    if (token === "]") depth--;
    if (token === separator && depth <= 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts;
}
