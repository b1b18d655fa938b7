import { deletionUrl, exportUrl, listStateUrl } from "../../api/urls.js";
import { loadHtmx } from "../../htmx_on_demand.js";
import { htmxDetail } from "../../htmx_requests.js";
import { t } from "../../lib/i18n.js";

/**
 * Commands for the open chat, the same as in its sidebar menu.
 * @param {import("../chat/chat_controller.js").ChatController} chat
 * @returns {import("./commands.js").Command[]}
 */
export function openChatCommands(chat) {
  const put = (/** @type {string} */ state) => () => post(listStateUrl(chat.id), { state });
  const isPinned = () => {
    const entry = document.getElementById(`entry-${chat.id}`) ?? document.getElementById("chat-head");
    return entry?.hasAttribute("data-pinned") ?? false;
  };
  const download = (/** @type {"md" | "json"} */ kind) => () => location.assign(exportUrl(chat.id, kind));
  const commands = [
    { id: "pin", name: () => t("Pin chat"), run: put("pins"), applies: () => !isPinned() },
    { id: "unpin", name: () => t("Unpin chat"), run: put("list"), applies: isPinned },
    { id: "archive", name: () => t("Archive chat"), run: put("archive"), applies: () => !document.getElementById("archived") },
    { id: "markdown", name: () => t("Export chat as Markdown"), run: download("md") },
    { id: "json", name: () => t("Export chat as JSON"), run: download("json") },
    { id: "delete", name: () => t("Delete chat"), run: () => post(deletionUrl(chat.id), {}) },
  ];
  return commands.map((command) => ({ ...command, isOffered: () => Boolean(chat.id) && (command.applies?.() ?? true) }));
}

/**
 * Send what the button in the sidebar would send; the response updates the page.
 * @param {string} address
 * @param {Record<string, string>} values
 */
async function post(address, values) {
  if (!(await loadHtmx())) return;
  const form = document.getElementById("verbs");
  document.body.addEventListener("htmx:configRequest", configure);
  form?.dispatchEvent(new Event("asked"));
  document.body.removeEventListener("htmx:configRequest", configure);

  /** @param {Event} event */
  function configure(event) {
    const detail = htmxDetail(event);
    if (detail.elt !== form) return;
    detail.path = address;
    Object.assign(detail.parameters, values);
  }
}
