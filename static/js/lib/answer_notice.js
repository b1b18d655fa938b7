/** What a notice of an answer leads to. */

/**
 * Return `path` if it is that of a chat, otherwise that of a new one: a click on a notice leads nowhere else.
 * @param {unknown} path
 */
export const chatPath = (path) => (typeof path === "string" && /^\/chat\/([\w-]+\/)?$/.test(path) ? path : "/chat/");

/**
 * Return the tab that showed the notice, or else another one with the chat. A browser's `url` of a tab is the one that
 * the tab was loaded with: the address of a new chat changes afterwards.
 * @template {{ id: string, url: string }} Tab
 * @param {readonly Tab[]} tabs
 * @param {{ tab: string, path: string }} notice
 * @returns {Tab | undefined}
 */
export function tabOf(tabs, notice) {
  return tabs.find(({ id }) => id === notice.tab) ?? tabs.find(({ url }) => new URL(url).pathname === notice.path);
}
