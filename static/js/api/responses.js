/** Classify responses of the server, or of a proxy in its place. */

/** @param {Response} response */
export function isEventStream(response) {
  const type = response.headers.get("Content-Type") ?? "";
  return response.status === 200 && type.startsWith("text/event-stream") && response.body !== null;
}

/** @param {Response} response */
export function isJson(response) {
  return (response.headers.get("Content-Type") ?? "").startsWith("application/json");
}

export const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Whether a proxy answered instead of the site. @param {Response} response */
export function isGatewayError(response) {
  return GATEWAY_STATUSES.has(response.status) && !isJson(response);
}

/** Whether requesting the stream again would give the same response. @param {Response} response */
export function isPermanentRefusal(response) {
  return response.status >= 400 && response.status < 500 && response.status !== 429;
}

/**
 * Where the server stored the message; a temporary chat has only a generation.
 * @typedef {{generationId: string, conversationId: string, messageId: number, questionId: number}} MessageIds
 * @param {Response} response
 * @returns {MessageIds}
 */
export function idsFromHeaders({ headers }) {
  return {
    generationId: headers.get("X-Generation-Id") ?? "",
    conversationId: headers.get("X-Conversation-Id") ?? "",
    messageId: Number(headers.get("X-Message-Id")),
    questionId: Number(headers.get("X-Question-Id")),
  };
}

/**
 * @param {string} data
 * @returns {import("../types.js").AnswerPayload | null} null if the data is not a JSON object
 */
export function parsePayload(data) {
  try {
    const value = JSON.parse(data);
    return value && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
