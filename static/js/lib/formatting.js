/** Format numbers for people. Creating a formatter takes milliseconds, so each is created on first use. */

import { locale, t } from "./i18n.js";
import { once } from "./once.js";

const percent = once(() => new Intl.NumberFormat(locale, { style: "percent" }));
const kilobytes = [0, 1].map((digits) =>
  once(() => new Intl.NumberFormat(locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: digits })),
);
// As the server writes dates and times: project/formats/.
const dateStyle = locale.startsWith("en") ? "medium" : "long";
const clock = once(() => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle }));
const calendar = once(() => new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: "short" }));

/**
 * Format a time, with the day unless that is today.
 * @param {number} milliseconds since 1970
 */
export function formatMoment(milliseconds, now = Date.now()) {
  const isToday = new Date(milliseconds).toDateString() === new Date(now).toDateString();
  return isToday ? clock().format(milliseconds) : formatDayAndTime(milliseconds);
}

/** @param {number} milliseconds since 1970 */
export function formatDayAndTime(milliseconds) {
  return calendar().format(milliseconds);
}

/** @param {number} part a fraction of one */
export function formatPercent(part) {
  return percent().format(part);
}

/** Format a size in kilobytes. @param {number} bytes @param {0 | 1} [digits] after the point */
export function formatKilobytes(bytes, digits = 1) {
  return kilobytes[digits]().format(bytes / 1024);
}

/** @param {number | string} time anything that `Date` accepts */
export function formatDay(time) {
  return days().format(new Date(time));
}

/** @param {number} seconds */
export function formatDuration(seconds) {
  const rounded = Math.max(1, Math.round(seconds));
  if (rounded < 60) return t("{seconds} s", { seconds: rounded });
  return t("{minutes} min {seconds} s", { minutes: Math.floor(rounded / 60), seconds: rounded % 60 });
}
