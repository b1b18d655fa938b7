/** The addresses of streams; they are fixed, other programs use them as well. */

export const RELAY = "/chat/stream";

/** @param {string} id */
export const streamOf = (id) => `/generations/${encodeURIComponent(id)}/stream`;

/** @param {string} id */
export const cancellationOf = (id) => `/generations/${encodeURIComponent(id)}/cancellation`;
