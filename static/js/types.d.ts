/** What the server sends and takes, as JSON. Its side: chat/web/messages/presenters.py, chat/generations/log/frames.py. */

/** `awaiting_staff`: no model answers, the question went to a person. */
export type AnswerState = "waiting" | "streaming" | "running" | "complete" | "stopped" | "interrupted" | "failed" | "awaiting_staff";

export interface Problem {
  code: string;
  message: string;
  retryable: boolean;
}

/** Tokens, as far as the model's service counts them. */
export interface Usage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  cached_tokens?: number | null;
  neurons?: number | null;
  cost_usd?: number | null;
}

export interface Timing {
  first_token_milliseconds?: number | null;
  milliseconds: number;
}

/** What somebody thinks of an answer. */
export interface Opinion {
  value: -1 | 0 | 1;
  reason?: string;
  comment?: string;
}

/** One event of an answer's stream. */
export interface AnswerPayload {
  response?: string;
  reasoning?: string;
  omitted_messages?: number;
  model?: string;
  instead_of?: string;
  error?: Problem;
  /** In the last event alone, with what follows. */
  state?: AnswerState;
  /** Code points of the whole answer. */
  length?: number;
  finish_reason?: string;
  usage?: Usage;
  timing?: Timing;
  tool_calls?: { name: string }[];
}

/** A message that the server keeps. */
export interface StoredMessage {
  id: number;
  parent: number | null;
  role: "user" | "assistant";
  text: string;
  reasoning: string;
  created_at: string;
  generation?: string;
  state?: AnswerState;
  model?: string;
  finish_reason?: string;
  reasoning_effort?: string;
  omitted_messages?: number;
  base_length?: number;
  error?: Problem;
  usage?: Usage;
  timing?: Timing;
  rating?: Opinion;
  versions?: number[];
  is_hidden?: boolean;
  is_person?: boolean;
  is_imported?: boolean;
}

/** What is said of one answer otherwise than usual. */
export interface GenerationOptions {
  reasoning_effort?: string;
  max_tokens?: number;
}

/** A send to a conversation that is kept: exactly one of a text, another try, or more of an answer. */
export interface StoredSend extends GenerationOptions {
  /** The same send, however often it arrives. */
  key: string;
  text?: string;
  model?: string;
  /** The message that `text` follows; 0 for none. */
  parent?: number;
  persona?: string;
  /** An answer to be tried anew. */
  retry?: number;
  /** An answer to be continued. */
  resume?: number;
}

/** A message as models are asked. */
export interface ChatMessage {
  role: "user" | "assistant";
  content: string;
}

/** A send of a temporary chat, which carries all that was said. */
export interface TemporarySend extends GenerationOptions {
  key?: undefined;
  messages: ChatMessage[];
  model?: string;
  persona?: string;
}

/** What is fetched when it is first wanted: the names in project/npm/js_modules.py. */
export interface OnDemandModules {
  markdown: typeof import("./markdown/markdown.js");
  prompts: typeof import("./prompts/prompts.js");
  quote_button: typeof import("./controllers/composer/quote_button.js");
  report_dialog: typeof import("./controllers/feedback/report_dialog.js");
  scroll_to_hit: typeof import("./controllers/transcript/scroll_to_hit.js");
  turn_tools: typeof import("./controllers/editing/turn_tools.js");
  marked: typeof import("marked");
  remend: typeof import("remend");
  highlight: { default: Highlighter };
  [language: `highlight/${string}`]: { default: object };
  temml: typeof import("temml");
  /** It is used by its attributes alone. */
  htmx: object;
}

/** As much of highlight.js as is used here. */
export interface Highlighter {
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, grammar: object): void;
  highlight(source: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

/** Says things to whoever looks, and to whoever listens. */
export interface StatusLine {
  say(words: string): void;
  hint(words: string): void;
}
