/** The addresses of conversations and streams; they are fixed, other programs use them as well. */

export const RELAY = "/chat/stream";
export const NEW_CHAT = "/chat/";
export const NEW_PROMPT = "/prompts/new/";
export const PROMPTS = "/prompts/";
export const PROMPT_NAMES = "/prompts/names";
export const TEMPORARY_CHAT = "/chat/temporary/";
export const HINTS = "/chat/hints";
export const HEALTH = "/healthz";
export const SETTINGS = "/settings/";
export const ARCHIVE = "/chat/archive/";

/** A new chat with this persona. @param {string} id */
export const newChatWith = (id) => `${NEW_CHAT}?${new URLSearchParams({ persona: id })}`;

/** @param {string} id */
export const promptText = (id) => `/prompts/${encodeURIComponent(id)}/text`;

/** @param {string} query */
export const searchFor = (query) => `/chat/search/?${new URLSearchParams({ q: query })}`;

/** @param {string} id */
export const streamOf = (id) => `/generations/${encodeURIComponent(id)}/stream`;

/** @param {string} id */
export const cancellationOf = (id) => `/generations/${encodeURIComponent(id)}/cancellation`;

/** @param {string} id */
export const pageOf = (id) => `/chat/${encodeURIComponent(id)}/`;

/** The id in an address that begins with the page of a conversation. @param {string} path */
export const idIn = (path) => path.split("/")[2] ?? "";

/** @param {string} id */
export const readingOf = (id) => `${pageOf(id)}reading`;

/**
 * Where a message stands in its conversation.
 * @param {string} conversationId
 * @param {number} messageId
 */
export const placeOf = (conversationId, messageId) => `${pageOf(conversationId)}?at=${messageId}#m${messageId}`;

/** @param {string} id */
export const sharingOf = (id) => `${pageOf(id)}sharing/`;

/** Pinned, listed or archived. @param {string} id */
export const listStateOf = (id) => `${pageOf(id)}state/`;

/** @param {string} id */
export const deletionOf = (id) => `${pageOf(id)}deletion/`;

/** @param {string} id @param {"md" | "json"} kind */
export const exportOf = (id, kind) => `${pageOf(id)}export.${kind}`;

/** Where a message is sent; without a conversation it begins one. @param {string} id */
export const messagesOf = (id) => (id ? `${pageOf(id)}messages` : "/chat/messages");

/** Whether a send has arrived. @param {string} key */
export const sendOf = (key) => `/chat/sends/${encodeURIComponent(key)}`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const messageOf = (conversationId, messageId) => `${messagesOf(conversationId)}/${messageId}`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const ratingOf = (conversationId, messageId) => `${messageOf(conversationId, messageId)}/rating`;

/**
 * Where an answer is reported; without a message all of the chat is.
 * @param {string} conversationId
 * @param {number} [messageId]
 */
export const reportOf = (conversationId, messageId) =>
  messageId ? `${messageOf(conversationId, messageId)}/report` : `${pageOf(conversationId)}report`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const turnDeletionOf = (conversationId, messageId) => `${messageOf(conversationId, messageId)}/deletion`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const branchOf = (conversationId, messageId) => `${messageOf(conversationId, messageId)}/branch`;
