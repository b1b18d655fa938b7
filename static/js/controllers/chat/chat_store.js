/**
 * Where a chat page keeps its conversation: server_store.js has it on the site, temporary_store.js in the tab.
 *
 * @typedef {import("../../models/conversation.js").Exchange} Exchange
 *
 * @typedef {object} AnswerSource how to get an answer
 * @property {import("../../stream/send_message.js").Send | null} send null where it is being written already
 * @property {() => Promise<import("../../api/conversations.js").StoredMessage>} [stored] reads it where the site keeps it
 *
 * @typedef {object} ChatStore
 * @property {import("../../models/conversation.js").Conversation} conversation what the page shows
 * @property {string} id of the conversation on the site; "" where it has none
 * @property {Exchange | undefined} unsent a question that may not have reached the site, which the next one waits for
 * @property {Exchange | undefined} running an answer that is being written
 * @property {import("../../models/question_edits.js").QuestionEdits | null} edits keeps questions while they are rewritten
 * @property {(text: string) => void} saveDraft keeps what is in the composer
 * @property {(text: string) => Exchange} ask adds a question
 * @property {(exchange: Exchange) => void} remove
 * @property {(exchange: Exchange) => void} [prepareToContinue] more of the same answer
 * @property {(exchange: Exchange) => AnswerSource} requestFor
 * @property {(exchange: Exchange, place: import("../../api/responses.js").MessageIds) => void} accepted the site has the question
 * @property {(exchange: Exchange) => void} ended its answer has
 */

export {};
