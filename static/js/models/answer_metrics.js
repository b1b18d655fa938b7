/** The details of a finished answer, as pairs of a label and a value, as far as known. Pure. */

import { formatDuration } from "../lib/formatting.js";
import { locale, plural, t } from "../lib/i18n.js";
import { once } from "../lib/once.js";

/** @type {() => Record<string, string>} */
const EFFORTS = once(() => ({ none: t("Off"), low: t("Low"), medium: t("Medium"), high: t("High") }));
const fine = once(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }));
const money = once(() => new Intl.NumberFormat(locale, { style: "currency", currency: "USD", maximumSignificantDigits: 2 }));
const seconds = once(() => new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 }));

/**
 * @param {import("./answer.js").Answer} answer
 * @param {string} modelName
 * @returns {[string, string][]}
 */
export function answerMetrics({ usage, timing, reasoningSeconds, effort }, modelName) {
  /** @type {[string, string][]} */
  const facts = [[t("Model"), modelName]];
  const tell = (/** @type {string} */ name, /** @type {string} */ value) => facts.push([name, value]);
  if (usage?.prompt_tokens) tell(t("Input"), tokens(usage.prompt_tokens));
  if (usage?.cached_tokens) tell(t("Cached"), tokens(usage.cached_tokens));
  if (usage?.completion_tokens) tell(t("Output"), tokens(usage.completion_tokens));
  if (typeof usage?.neurons === "number") tell(t("Neurons"), fine().format(usage.neurons));
  if (typeof usage?.cost_usd === "number") tell(t("Cost"), money().format(usage.cost_usd));
  const first = timing?.first_token_milliseconds;
  if (timing && typeof first === "number") tell(t("Time to first token"), seconds().format(first / 1000));
  if (timing) tell(t("Total time"), seconds().format(timing.milliseconds / 1000));
  const speed = tokensPerSecond(usage, timing);
  if (speed) tell(t("Speed"), t("{count} per second", { count: tokens(Math.round(speed)) }));
  if (effort) tell(t("Reasoning"), EFFORTS()[effort] ?? effort);
  if (reasoningSeconds) tell(t("Reasoning time"), formatDuration(reasoningSeconds));
  return facts;
}

/** @param {number} count */
function tokens(count) {
  return plural(count, "{count} token", "{count} tokens");
}

/**
 * Return the speed from the first token on; 0 if unknown or too short to measure.
 * @param {import("./answer.js").Usage | null} usage
 * @param {import("./answer.js").Timing | null} timing
 */
function tokensPerSecond(usage, timing) {
  const written = (timing?.milliseconds ?? 0) - (timing?.first_token_milliseconds ?? 0);
  if (!usage?.completion_tokens || written < 100) return 0;
  return usage.completion_tokens / (written / 1000);
}
