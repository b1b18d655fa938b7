/**
 * Where a chat page keeps its conversation: server_store.js on the server, temporary_store.js in the tab.
 *
 * @typedef {import("../../models/conversation.js").Exchange} Exchange
 *
 * @typedef {object} AnswerSource where to get an answer from
 * @property {import("../../stream/send_message.js").Send | null} send null if the answer is already running
 * @property {() => Promise<import("../../api/conversations.js").StoredMessage>} [stored] loads the stored answer, if the server stores it
 *
 * @typedef {object} ChatStore
 * @property {import("../../models/conversation.js").Conversation} conversation what the page shows
 * @property {string} id of the conversation on the server; "" if it has none
 * @property {Exchange | undefined} unsent a question that may not have reached the server; the next one waits for it
 * @property {Exchange | undefined} running an exchange whose answer is running
 * @property {import("../../models/question_edits.js").QuestionEdits | null} edits stores questions while they are edited
 * @property {(text: string) => void} saveDraft stores the text in the composer
 * @property {(text: string) => Exchange} ask adds a question
 * @property {(exchange: Exchange) => void} remove
 * @property {(exchange: Exchange) => void} [prepareToContinue] prepares to continue an answer
 * @property {(exchange: Exchange) => AnswerSource} requestFor
 * @property {(exchange: Exchange, place: import("../../api/responses.js").MessageIds) => void} accepted the server has stored the question
 * @property {(exchange: Exchange) => void} ended the answer has ended
 */

export {};
