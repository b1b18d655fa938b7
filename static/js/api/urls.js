/** URLs of conversations and streams. They are fixed, because other programs use them too. */

export const CHAT_STREAM_URL = "/chat/stream";
export const NEW_CHAT_URL = "/chat/";
export const NEW_PROMPT_URL = "/prompts/new/";
export const PROMPTS_URL = "/prompts/";
export const PROMPT_NAMES_URL = "/prompts/names";
export const TEMPORARY_CHAT_URL = "/chat/temporary/";
export const NOTIFICATIONS_URL = "/chat/notifications";
export const HEALTH_URL = "/healthz";
export const SETTINGS_URL = "/settings/";
export const PERSONALIZATION_URL = "/settings/personalization/";
export const USAGE_URL = "/settings/usage/";
export const PERSONAS_URL = "/personas/";
export const PROJECTS_URL = "/projects/";
export const COLLECTIONS_URL = "/collections/";
export const ADD_DOCUMENTS_URL = "/collections/files/";
export const IMPORT_URL = "/settings/import/";
export const DOCUMENTS_URL = "/chat/documents/";
export const TRANSCRIPTION_URL = "/chat/transcription/";
export const IMAGES_URL = "/chat/images/";
export const SPEECH_URL = "/chat/speech/";
export const ARCHIVE_URL = "/chat/archive/";
export const NOTICE_WORKER_URL = "/chat/notices/worker.js";
/** No page's URL begins with this, so the worker controls none. */
export const NOTICE_WORKER_SCOPE = "/chat/notices/";

/** A new chat with this persona. @param {string} id */
export const personaChatUrl = (id) => `${NEW_CHAT_URL}?${new URLSearchParams({ persona: id })}`;

/** @param {string} id */
export const promptTextUrl = (id) => `/prompts/${encodeURIComponent(id)}/text`;

/** @param {string} query */
export const searchUrl = (query) => `/chat/search/?${new URLSearchParams({ q: query })}`;

/** @param {string} digest */
export const imageUrl = (digest) => IMAGES_URL + digest;

/** The original of a file in a question. @param {string} digest */
export const fileUrl = (digest) => `/chat/files/${digest}`;

/** @param {string} id */
export const generationStreamUrl = (id) => `/generations/${encodeURIComponent(id)}/stream`;

/** @param {string} id */
export const cancellationUrl = (id) => `/generations/${encodeURIComponent(id)}/cancellation`;

/** @param {string} id */
export const conversationUrl = (id) => `/chat/${encodeURIComponent(id)}/`;

/** Return the ID in a URL that starts with a conversation's. @param {string} path */
export const idInPath = (path) => path.split("/")[2] ?? "";

/** @param {string} id */
export const markReadUrl = (id) => `${conversationUrl(id)}read`;

/**
 * The URL of a message.
 * @param {string} conversationId
 * @param {number} messageId
 * @param {string[]} words to mark in it
 */
export const messageAnchorUrl = (conversationId, messageId, words) => {
  const query = new URLSearchParams([["at", String(messageId)], ...words.map((word) => ["text", word])]);
  return `${conversationUrl(conversationId)}?${query}#m${messageId}`;
};

/** @param {string} id */
export const sharingUrl = (id) => `${conversationUrl(id)}sharing/`;

/** @param {string} id */
export const titleUrl = (id) => `${conversationUrl(id)}title/`;

/** The URL for pinning, unpinning or archiving a conversation. @param {string} id */
export const listStateUrl = (id) => `${conversationUrl(id)}state/`;

/** The URL of the dialog that moves a conversation to a project. @param {string} id */
export const chatProjectUrl = (id) => `${conversationUrl(id)}project/`;

/** The URL of the dialog with a conversation's tags. @param {string} id */
export const chatTagsUrl = (id) => `${conversationUrl(id)}tags/`;

/** @param {string} id */
export const deletionUrl = (id) => `${conversationUrl(id)}deletion/`;

/** The URL of the page to print. @param {string} id @param {number} answerId 0: the whole chat */
export const printUrl = (id, answerId) => `${conversationUrl(id)}print/${answerId ? `?message=${answerId}` : ""}`;

/** @param {string} id @param {"md" | "json"} kind */
export const exportUrl = (id, kind) => `${conversationUrl(id)}export.${kind}`;

/** The URL to send messages to; without an ID, the message starts a new conversation. @param {string} id */
export const messagesUrl = (id) => (id ? `${conversationUrl(id)}messages` : "/chat/messages");

/** The URL that says whether a message was stored. @param {string} key */
export const sendStatusUrl = (key) => `/chat/sends/${encodeURIComponent(key)}`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const messageUrl = (conversationId, messageId) => `${messagesUrl(conversationId)}/${messageId}`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const ratingUrl = (conversationId, messageId) => `${messageUrl(conversationId, messageId)}/rating`;

/**
 * The URL for reporting an answer or, without `messageId`, the whole chat.
 * @param {string} conversationId
 * @param {number} [messageId]
 */
export const reportUrl = (conversationId, messageId) =>
  messageId ? `${messageUrl(conversationId, messageId)}/report` : `${conversationUrl(conversationId)}report`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const turnDeletionUrl = (conversationId, messageId) => `${messageUrl(conversationId, messageId)}/deletion`;

/**
 * @param {string} conversationId
 * @param {number} messageId
 */
export const branchUrl = (conversationId, messageId) => `${messageUrl(conversationId, messageId)}/branch`;

/**
 * What has been decided about two answers that are compared.
 * @param {string} conversationId
 * @param {number} pairId
 * @param {"vote" | "choice"} what
 */
export const pairUrl = (conversationId, pairId, what) => `${conversationUrl(conversationId)}pairs/${pairId}/${what}`;

/** A call of a tool. @param {string} id */
export const toolCallUrl = (id) => `/chat/tool-calls/${encodeURIComponent(id)}`;

/** @param {string} id */
export const toolDecisionUrl = (id) => `${toolCallUrl(id)}/decision`;
