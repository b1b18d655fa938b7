/** Format numbers for people. Creating a formatter takes milliseconds, so each is created on first use. */

import { isolated, locale, plural, t } from "./i18n.js";
import { once } from "./once.js";

const fine = once(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }));
const percent = once(() => new Intl.NumberFormat(locale, { style: "percent" }));
const clock = once(() => new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }));
const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
const calendar = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));

/**
 * Format a time, with the day unless that is today.
 * @param {number} milliseconds since 1970
 */
export function formatMoment(milliseconds, now = Date.now()) {
  const isToday = new Date(milliseconds).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : calendar)().format(milliseconds);
}

/** @param {number} part a fraction of one */
export function formatPercent(part) {
  return percent().format(part);
}

/** @param {number | string} time anything that `Date` accepts */
export function formatDay(time) {
  return days().format(new Date(time));
}

/**
 * Format the usage of an answer: its tokens, and neurons (Workers AI's unit of cost) if reported.
 * @param {import("../types.js").Usage | null} usage
 */
export function formatUsage(usage) {
  if (!usage) return "";
  const { prompt_tokens: read, completion_tokens: written, total_tokens, neurons } = usage;
  const words = [plural(total_tokens || (read ?? 0) + (written ?? 0), "{count} token", "{count} tokens")];
  if (typeof neurons === "number") words.push(t("{amount} neurons", { amount: fine().format(neurons) }));
  return words.map(isolated).join(" · ");
}

/** @param {number} seconds */
export function formatDuration(seconds) {
  const rounded = Math.max(1, Math.round(seconds));
  if (rounded < 60) return t("{seconds} s", { seconds: rounded });
  return t("{minutes} min {seconds} s", { minutes: Math.floor(rounded / 60), seconds: rounded % 60 });
}
