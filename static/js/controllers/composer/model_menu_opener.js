/**
 * Load the menu of models when its button is about to be pressed: its content with htmx, its script on demand. The
 * browser opens it, with a line that says that it is loading.
 */

import { savePreference } from "../../api/preferences.js";
import { onDemand } from "../../browser/on_demand.js";
import { loadHtmx } from "../../htmx_on_demand.js";
import { recentWith } from "../../models/recent_models.js";

const script = onDemand("model_menu");

/**
 * @param {HTMLElement} menu
 * @param {HTMLElement} button opens it
 * @param {import("./model_picker.js").ModelPicker} models
 * @param {import("./model_menu.js").Site} site
 */
export function wireModelMenu(menu, button, models, site) {
  const name = /** @type {HTMLElement} */ (button.querySelector("bdi"));
  const showName = () => (name.textContent = models.nameOf(models.chosen));
  models.onChange(showName);
  showName();
  let isAsked = false;
  for (const event of ["pointerenter", "focus", "click"]) button.addEventListener(event, load);

  async function load() {
    if (isAsked) return;
    isAsked = true;
    const [module, isThere] = await Promise.all([script(), content()]);
    if (module && isThere) new module.ModelMenu(menu, models, site);
    else fail();
  }

  async function content() {
    if (!(await loadHtmx())) return false;
    const arrival = new Promise((resolve) => {
      menu.addEventListener("htmx:afterRequest", (event) => resolve(/** @type {CustomEvent} */ (event).detail.successful), { once: true });
    });
    menu.dispatchEvent(new Event("asked"));
    return arrival;
  }

  /** The next time, it is tried again. */
  function fail() {
    isAsked = false;
    if (!menu.matches(":popover-open")) return;
    menu.hidePopover();
    site.status.hintNotLoaded();
  }
}

/**
 * Remember, with the account, that a message has gone to a model.
 * @param {import("../../browser/browser_env.js").BrowserEnv} env
 * @param {HTMLElement} menu
 * @param {string} id
 */
export function rememberModel(env, menu, id) {
  const recent = recentWith(menu.dataset.recent, id);
  if (!id || recent === menu.dataset.recent) return;
  menu.dataset.recent = recent;
  savePreference(env, "recent_models", recent);
}
