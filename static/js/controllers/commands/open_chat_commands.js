import { chatProjectUrl, chatTagsUrl, deletionUrl, exportUrl, listStateUrl } from "../../api/urls.js";
import { htmxDetail } from "../../htmx_requests.js";
import { t } from "../../lib/i18n.js";

/**
 * Commands for the open chat, the same as in its sidebar menu.
 * @param {import("../chat/chat_controller.js").ChatController} chat
 * @param {() => Promise<boolean>} loadHtmx
 * @returns {import("./commands.js").Command[]}
 */
export function openChatCommands(chat, loadHtmx) {
  const put = (/** @type {string} */ state) => () => request("verbs", listStateUrl(chat.id), { state });
  const rename = () => /** @type {HTMLElement | null} */ (document.querySelector("#chat-head [data-part=rename]"));
  const isPinned = () => {
    const entry = document.getElementById(`entry-${chat.id}`) ?? document.getElementById("chat-head");
    return entry?.hasAttribute("data-pinned") ?? false;
  };
  const download = (/** @type {"md" | "json"} */ kind) => () => location.assign(exportUrl(chat.id, kind));
  const commands = [
    { id: "rename", name: () => t("Rename chat"), run: () => rename()?.click() },
    { id: "pin", name: () => t("Pin chat"), run: put("pins"), applies: () => !isPinned() },
    { id: "unpin", name: () => t("Unpin chat"), run: put("list"), applies: isPinned },
    { id: "move", name: () => t("Move chat to a project…"), run: () => request("organizer-letter", chatProjectUrl(chat.id)) },
    { id: "tag", name: () => t("Tag chat…"), run: () => request("organizer-letter", chatTagsUrl(chat.id)) },
    { id: "archive", name: () => t("Archive chat"), run: put("archive"), applies: () => !document.getElementById("archived") },
    { id: "markdown", name: () => t("Export chat as Markdown"), run: download("md") },
    { id: "json", name: () => t("Export chat as JSON"), run: download("json") },
    { id: "delete", name: () => t("Delete chat"), run: () => request("verbs", deletionUrl(chat.id)) },
  ];
  return commands.map((command) => ({ ...command, isOffered: () => Boolean(chat.id) && (command.applies?.() ?? true) }));

  /** @param {string} id @param {string} address @param {Record<string, string>} [values] */
  async function request(id, address, values) {
    if (await loadHtmx()) send(id, address, values);
  }
}

/**
 * Send what the button in the sidebar's menu would send; the response updates the page.
 * @param {string} id of the element that sends it
 * @param {string} address
 * @param {Record<string, string>} [values]
 */
function send(id, address, values = {}) {
  const sender = document.getElementById(id);
  document.body.addEventListener("htmx:configRequest", configure);
  sender?.dispatchEvent(new Event("asked"));
  document.body.removeEventListener("htmx:configRequest", configure);

  /** @param {Event} event */
  function configure(event) {
    const detail = htmxDetail(event);
    if (detail.elt !== sender) return;
    detail.path = address;
    Object.assign(detail.parameters, values);
  }
}
