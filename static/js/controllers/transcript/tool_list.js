/**
 * The tools that an answer has used: a line each, which opens, and a form where a person has to decide. Loaded on demand.
 */

import { IMAGES_URL } from "../../api/urls.js";
import { decideToolCall, fetchToolCall } from "../../api/tool_calls.js";
import { plural, t } from "../../lib/i18n.js";
import { cutAtWord } from "../../lib/long_text.js";
import { needsDecision } from "../../models/outcome.js";
import { isCut, valuesOf } from "../../models/tool_arguments.js";
import { DecisionForm } from "./tool_decision.js";

/** @typedef {import("../../types.js").Tool} Tool */
/** @typedef {import("../../models/answer.js").Answer} Answer */
/** @typedef {Pick<import("./answer_view.js").Actions, "choose" | "refresh" | "env">} Actions */

const MAX_ARGUMENT_CHARS = 200;
/** Somebody has decided or gone on elsewhere. */
const STALE = new Set(["tool_call_decided", "conflict"]);

/** What is shown of each call, so that an open line stays open. @type {WeakMap<HTMLElement, Map<string, string>>} */
const shown = new WeakMap();

/**
 * Show the calls of an answer in a list; those that haven't changed stay as they are.
 * @param {HTMLElement} list
 * @param {Answer} answer
 * @param {Actions} actions
 */
export function showTools(list, answer, actions) {
  list.hidden = false;
  const known = shown.get(list) ?? new Map();
  shown.set(list, known);
  answer.tools.forEach((tool, place) => {
    const canDecide = answer.isOver && needsDecision(tool) && actions.env !== undefined;
    const now = JSON.stringify([words(tool).textContent, tool.state, answer.isOver, isCut(tool), tool.images]);
    if (known.get(tool.id) === now) return;
    known.set(tool.id, now);
    const item = lineOf(tool, answer, canDecide, list, actions);
    const old = list.children[place];
    if (old) old.replaceWith(item);
    else list.append(item);
  });
}

/**
 * @param {Tool} tool
 * @param {Answer} answer
 * @param {boolean} canDecide
 * @param {HTMLElement} list
 * @param {Actions} actions
 */
function lineOf(tool, answer, canDecide, list, actions) {
  const item = document.createElement("li");
  item.className = "tool-call";
  item.dataset.state = tool.state;
  const { env } = actions;
  if (canDecide && env && isCut(tool)) {
    item.append(words(tool));
    complete(tool, item, env).then((isComplete) => isComplete && showTools(list, answer, actions));
    return item;
  }
  if (canDecide && env) {
    const form = new DecisionForm(tool, titleOf(tool), decide).root;
    item.append(words(tool), form);
    requestAnimationFrame(() => keepInSight(item));
    return item;
  }
  if (!env || !answer.isOver || !answer.messageId) {
    item.append(words(tool), ...drawn(tool));
    return item;
  }
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.append(words(tool));
  details.append(summary);
  details.addEventListener("toggle", () => details.open && showWhole(details, tool, env), { once: true });
  item.append(details, ...drawn(tool));
  return item;

  /** @param {import("../../api/tool_calls.js").Decision} decision */
  async function decide(decision) {
    if (!env) return null;
    const { tools, problem } = await decideToolCall(env, tool.id, decision);
    if (problem && STALE.has(problem.code)) actions.refresh?.();
    if (problem) return problem;
    answer.tools = tools;
    showTools(list, answer, actions);
    if (!tools.some(needsDecision)) actions.choose("continue");
    else list.querySelector("form")?.querySelector("button")?.focus();
    return null;
  }
}

/**
 * Load the arguments of a call that a person decides about: nothing may be out of sight.
 * @param {Tool} tool
 * @param {HTMLElement} item
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 */
async function complete(tool, item, env) {
  const whole = await fetchToolCall(env, tool.id);
  if (whole) tool.arguments = whole.arguments;
  else item.append(" ", notLoaded());
  return whole !== null;
}

const notLoaded = () => t("Couldn't load this. Check your connection, or reload the page.");

/** Scroll a call whose form has just come into sight, or would be behind the composer. @param {HTMLElement} item */
function keepInSight(item) {
  const { top } = item.getBoundingClientRect();
  if (top >= 0 && top < innerHeight) item.scrollIntoView({ block: "nearest" });
}

/**
 * Show what a tool was given and what it returned, which may be long.
 * @param {HTMLElement} details
 * @param {Tool} tool
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 */
async function showWhole(details, tool, env) {
  const whole = await fetchToolCall(env, tool.id);
  const parts = whole ? [readable(whole.arguments), whole.result] : [notLoaded()];
  for (const part of parts.filter(Boolean)) {
    const text = document.createElement("div");
    text.className = "message-text";
    text.dir = "auto";
    text.textContent = part;
    details.append(text);
  }
  for (const digest of tool.images ? [] : (whole?.images ?? [])) {
    const image = document.createElement("img");
    image.className = "image-dialog-picture";
    image.src = `${IMAGES_URL}${digest}`;
    image.alt = t("Image from the tool");
    details.append(image);
  }
}

/** Return the images that a tool has drawn, which image_opener.js opens in a dialog. @param {Tool} tool */
function drawn(tool) {
  return (tool.images ?? []).map((digest) => {
    const link = document.createElement("a");
    const image = document.createElement("img");
    link.className = "image-thumb";
    link.href = image.src = `${IMAGES_URL}${digest}`;
    image.alt = argumentsOf(tool).prompt;
    link.append(image);
    return link;
  });
}

/** Return arguments with a line each. @param {string} json */
function readable(json) {
  const values = Object.entries(valuesOf(json));
  return values.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join("\n") || json;
}

/** @param {Tool} tool */
function words(tool) {
  const line = document.createElement("span");
  const title = document.createElement("bdi");
  title.textContent = titleOf(tool);
  line.append(title);
  if (tool.was_allowed) line.append(` · ${t("Allowed")}`);
  const outcome = outcomeOf(tool);
  if (outcome) line.append(` · ${outcome}`);
  if (tool.refusal) {
    const said = document.createElement("q");
    said.dir = "auto";
    said.textContent = tool.refusal;
    line.append(" ", said);
  }
  return line;
}

/** Say what a call does. @param {Tool} tool */
export function titleOf(tool) {
  const { query, address, words, expression, text, prompt } = argumentsOf(tool);
  switch (tool.tool) {
    case "web_search":
      return t("Search the web: {query}", { query });
    case "fetch_page":
      return t("Read a page: {address}", { address });
    case "search_my_chats":
      return t("Search your chats: {words}", { words });
    case "search_documents":
      return t("Search the documents: {query}", { query });
    case "generate_image":
      return t("Draw: {prompt}", { prompt });
    case "calculator":
      return t("Calculate: {expression}", { expression });
    case "current_time":
      return t("Look up the time");
    case "remember":
      return t("Remember: {text}", { text });
    default:
      return tool.title || tool.tool;
  }
}

/** Say how a call ended, or what it waits for. @param {Tool} tool */
export function outcomeOf({ state, problem = "", count }) {
  switch (state) {
    case "proposed":
      return t("Needs your permission");
    case "unknown":
      return t("It's unknown whether this was done.");
    case "approved":
      return t("Allowed");
    case "refused":
      return t("Refused");
    case "running":
      return t("Running…");
    case "failed":
      return problemOf(problem);
    default:
      return count === undefined ? "" : plural(count, "{count} result", "{count} results");
  }
}

/** @param {string} problem */
function problemOf(problem) {
  switch (problem) {
    case "timeout":
      return t("No answer in time");
    case "interrupted":
      return t("Interrupted");
    case "copied":
      return t("Not run in this copy");
    case "repeated":
      return t("Not repeated");
    case "too_many":
      return t("Too many at once");
    case "unknown_tool":
      return t("There's no such tool");
    case "unreachable":
      return t("The page can't be read");
    case "unknown_address":
      return t("Nobody has named this page, so it isn't read");
    case "no_text":
      return t("There's no text on this page");
    case "no_answer":
      return t("The search engine gave no answer");
    case "switched_off":
      return t("Memory is switched off");
    case "tool_off":
      return t("This tool has been switched off");
    case "tool_changed":
      return t("This tool has changed, so it is off for now");
    case "no_server":
      return t("The tool's server can't be reached");
    case "bad_server":
      return t("The tool's server gave no valid answer");
    default:
      return t("Failed");
  }
}

/** @param {Tool} tool @returns {Record<string, string>} */
function argumentsOf(tool) {
  const values = Object.entries(valuesOf(tool.arguments));
  const shortened = Object.fromEntries(values.map(([name, value]) => [name, cutAtWord(oneLine(value), MAX_ARGUMENT_CHARS)]));
  return { query: "", address: "", words: "", expression: "", text: "", prompt: "", ...shortened };
}

/** @param {unknown} value */
function oneLine(value) {
  return String(value).replace(/\s+/g, " ").trim();
}
