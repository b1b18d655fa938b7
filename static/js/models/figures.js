/** Numbers as people read them. To make a format takes milliseconds, so each is made when it is wanted. */

const whole = once(() => new Intl.NumberFormat());
const fine = once(() => new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }));
const clock = once(() => new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }));
const calendar = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }));

/**
 * A moment: its time, and its day unless that is today.
 * @param {number} milliseconds since 1970
 */
export function moment(milliseconds, now = Date.now()) {
  const isToday = new Date(milliseconds).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : calendar)().format(milliseconds);
}

/**
 * What an answer took: tokens always, neurons (the model service's unit of cost) where it says.
 * @param {import("./answer.js").Answer["usage"]} usage
 */
export function usageInWords(usage) {
  if (!usage) return "";
  const { prompt_tokens: read = 0, completion_tokens: written = 0, total_tokens, neurons } = usage;
  const words = [`${whole().format(total_tokens || read + written)} tokens`];
  if (typeof neurons === "number") words.push(`${fine().format(neurons)} neurons`);
  return words.join(" · ");
}

/** @param {number} seconds */
export function duration(seconds) {
  const rounded = Math.max(1, Math.round(seconds));
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}

/**
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}
