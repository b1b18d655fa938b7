import { t } from "../lib/i18n.js";
import { promptTextUrl, PROMPT_NAMES_URL } from "./urls.js";

/** @typedef {import("../prompts/suggestions.js").Prompt} Prompt */
/** @typedef {Pick<import("../browser/browser_env.js").BrowserEnv, "fetch">} Env */

/**
 * Return the prompts that the member may use; null, with a hint if there is somewhere to show it, if they cannot be loaded.
 * @param {Env} env
 * @param {import("../types.js").StatusLine} [status]
 * @returns {Promise<Prompt[] | null>}
 */
export async function loadPrompts(env, status) {
  /** @type {{prompts: Prompt[]} | null} */
  const found = await load(env, PROMPT_NAMES_URL, status);
  return found && found.prompts;
}

/**
 * @param {Env} env
 * @param {string} id
 * @param {import("../types.js").StatusLine} status
 * @returns {Promise<string | null>}
 */
export async function loadPromptText(env, id, status) {
  /** @type {{text: string} | null} */
  const found = await load(env, promptTextUrl(id), status);
  return found && found.text;
}

/**
 * @template Json what stands at the address
 * @param {Env} env
 * @param {string} address
 * @param {import("../types.js").StatusLine} [status]
 * @returns {Promise<Json | null>}
 */
async function load(env, address, status) {
  const request = { headers: { Accept: "application/json" }, cache: /** @type {const} */ ("no-store") };
  const response = await env.fetch(address, request).catch(() => null);
  if (response?.ok) return response.json();
  status?.hint(t("Couldn't load your prompts. Check your connection, or reload the page."));
  return null;
}
