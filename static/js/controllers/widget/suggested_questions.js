/**
 * Show the questions that are suggested after the last answer, once they are written, and remove them while a person
 * answers.
 * @param {Pick<ReturnType<typeof import("./visitor_chat.js").createVisitorChat>, "chat" | "store">} visitorChat
 * @param {import("../../api/widget_session.js").PersonStatus} found
 */
export function showSuggestedQuestions({ chat, store }, { last, follow_ups: questions }) {
  const exchange = store.conversation.last;
  if (!exchange || exchange.answer.messageId !== last || exchange.answer.followUps.join() === questions.join()) return;
  exchange.answer.followUps = questions;
  chat.transcript.changed(exchange);
}
