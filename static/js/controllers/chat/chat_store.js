/**
 * Where a chat page keeps its conversation: server_store.js has it on the site, temporary_store.js in the tab.
 *
 * @typedef {import("../../models/exchanges.js").Exchange} Exchange
 *
 * @typedef {object} AnswerRequest how to get an answer
 * @property {import("../../stream/sending.js").Send | null} send null where it is being written already
 * @property {() => Promise<import("../../stream/stored.js").Turn>} [stored] reads it where the site keeps it
 *
 * @typedef {object} ChatStore
 * @property {import("../../models/exchanges.js").Exchanges} conversation what the page shows
 * @property {string} id of the conversation on the site; "" where it has none
 * @property {Exchange | undefined} unsent a question that may not have reached the site, which the next one waits for
 * @property {Exchange | undefined} running an answer that is being written
 * @property {import("../../models/edits.js").Edits | null} edits keeps questions while they are rewritten
 * @property {(text: string) => void} saveDraft keeps what is in the composer
 * @property {(text: string) => Exchange} ask adds a question
 * @property {(exchange: Exchange) => void} remove
 * @property {(exchange: Exchange) => void} [prepareToContinue] more of the same answer
 * @property {(exchange: Exchange) => AnswerRequest} requestFor
 * @property {(exchange: Exchange, place: import("../../stream/responses.js").Place) => void} accepted the site has the question
 * @property {(exchange: Exchange) => void} ended its answer has
 */

export {};
