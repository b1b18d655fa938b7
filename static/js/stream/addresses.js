/** The addresses of conversations and streams; they are fixed, other programs use them as well. */

export const RELAY = "/chat/stream";
export const NEW_CHAT = "/chat/";
export const TEMPORARY_CHAT = "/chat/temporary/";
export const HEALTH = "/healthz";
export const SETTINGS = "/settings/";
export const ARCHIVE = "/chat/archive/";

/** @param {string} query */
export const searchFor = (query) => `/chat/search/?${new URLSearchParams({ q: query })}`;

/** @param {string} id */
export const streamOf = (id) => `/generations/${encodeURIComponent(id)}/stream`;

/** @param {string} id */
export const cancellationOf = (id) => `/generations/${encodeURIComponent(id)}/cancellation`;

/** @param {string} id */
export const pageOf = (id) => `/chat/${encodeURIComponent(id)}/`;

/** @param {string} id */
export const placeOf = (id) => `${pageOf(id)}place/`;

/** @param {string} id */
export const deletionOf = (id) => `${pageOf(id)}deletion/`;

/** @param {string} id @param {"md" | "json"} kind */
export const exportOf = (id, kind) => `${pageOf(id)}export.${kind}`;

/** Where a message is sent; without a conversation it begins one. @param {string} id */
export const messagesOf = (id) => (id ? `${pageOf(id)}messages` : "/chat/messages");

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
