import { readCookie } from "./cookies.js";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Tell the server the time zone in a cookie, which decides what today and yesterday are.
 * @returns {boolean} whether the page was rendered in another time zone
 */
export function sendTimeZone() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const told = readCookie("time_zone");
  if (!timeZone || told === timeZone) return false;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `time_zone=${encodeURIComponent(timeZone)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
  return told !== "" || new Date().getTimezoneOffset() !== 0;
}
