import { t } from "../../lib/i18n.js";
import { Reachability } from "../../models/reachability.js";
import { showText } from "./template_parts.js";

/**
 * Show a line at the message box while the site cannot be reached.
 * @param {HTMLElement} line
 * @param {import("./status.js").Status} status
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @returns {import("../../browser/browser_env.js").BrowserEnv} the same environment, with requests watched
 */
export function watchReachability(line, status, env) {
  const reachability = new Reachability(env, (state) => {
    const words = wordsFor(state);
    showText(line, words);
    status.say(words || t("You're back online."));
  });
  addEventListener("online", () => reachability.setOnline(true));
  addEventListener("offline", () => reachability.setOnline(false));
  document.body.addEventListener("htmx:sendError", () => reachability.requestFailed());
  if (!navigator.onLine) reachability.setOnline(false);
  return { ...env, fetch: reachability.fetch };
}

/** @param {import("../../models/reachability.js").State} state */
function wordsFor(state) {
  if (state === "offline") return t("You're offline. Your text is saved.");
  return state === "unreachable" ? t("The site isn't responding. Your text is saved.") : "";
}
