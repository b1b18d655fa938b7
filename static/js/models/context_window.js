/**
 * How full a model's context window is: the last reported count plus an estimate of later text. Tokens are estimated as
 * the server does (chat/conversations/prompt.py), so it is approximate.
 */

const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 4;
export const NOTICE_FROM_SHARE = 0.6;
export const WARNING_FROM_SHARE = 0.9;

const utf8 = new TextEncoder();

/** @param {string} text */
export function estimateTokens(text) {
  return text ? Math.ceil(utf8.encode(text).length / BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE : 0;
}

/**
 * Return the estimated tokens of the conversation that the next message is sent with.
 * @param {import("./conversation.js").Exchange[]} exchanges
 */
export function usedTokens(exchanges) {
  const counted = exchanges.findLastIndex(({ answer }) => answer.usage?.prompt_tokens);
  const usage = exchanges[counted]?.answer.usage;
  const known = (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0);
  const since = exchanges.slice(counted + 1);
  return since.reduce(
    (sum, { question, answer }) => sum + estimateTokens(question) + estimateTokens(answer.text),
    known,
  );
}
