/** The JSON of requests and responses. On the server: chat/web/messages/presenters.py, chat/generations/log/frames.py. */

/** `awaiting_staff`: a staff member answers instead of a model. */
export type AnswerState = "waiting" | "streaming" | "running" | "complete" | "stopped" | "interrupted" | "failed" | "awaiting_staff";

export interface Problem {
  code: string;
  message: string;
  retryable: boolean;
  /** Why a limit refused the message, without advice. */
  reason?: string;
  /** When it may be sent again, if the server says so. */
  retryAfterSeconds?: number;
}

/** Usage, as far as the model provider reports it. */
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

/** A rating of an answer. */
export interface Opinion {
  value: -1 | 0 | 1;
  reason?: string;
  comment?: string;
}

/** A passage of a document that an answer may cite by its number. */
export interface Source {
  number: number;
  name: string;
  page?: number;
  /** Of the public web page that it is from. */
  address?: string;
  /** The answer isn't based on it, but it may help. */
  is_related?: boolean;
  /** For readers who may open it. */
  document?: string;
  /** From where to where, in characters. */
  passage?: string;
}

/** A call of one of the site's tools. A person decides about those that are `proposed` or `unknown`. */
export interface Tool {
  id: string;
  tool: string;
  /** What people read for a tool of a server. */
  title?: string;
  state: "proposed" | "unknown" | "approved" | "refused" | "running" | "done" | "failed";
  /** JSON, as the model wrote it. */
  arguments: string;
  /** How many things it has found. */
  count?: number;
  problem?: string;
  refusal?: string;
  is_edited?: boolean;
  /** A person was asked, and allowed it. */
  was_allowed?: boolean;
  /** Digests of those that the answer shows. */
  images?: string[];
}

/** One event of an answer's stream. */
export interface AnswerPayload {
  response?: string;
  reasoning?: string;
  omitted_messages?: number;
  tool?: Tool;
  sources?: Source[];
  /** Nothing in the documents is about the question. */
  unanswered?: boolean;
  model?: string;
  instead_of?: string;
  error?: Problem;
  /** Only in the last event, as are the following. */
  state?: AnswerState;
  /** Code points of the whole answer. */
  length?: number;
  finish_reason?: string;
  usage?: Usage;
  timing?: Timing;
  tool_calls?: { name: string }[];
}

/** The pair in which an answer is compared with another one. Without an `id`, the page has just asked for it. */
export interface Pair {
  id?: number;
  side: "a" | "b";
  /** The other answer, if it is there, and its model unless models are hidden. */
  beside?: number;
  model?: string;
  is_blind?: boolean;
  verdict?: string;
  chosen?: "a" | "b";
}

/** A message that the server stores. */
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
  sources?: Source[];
  tools?: Tool[];
  /** Of the chat up to this message, for models. */
  summary?: string;
  versions?: number[];
  /** What could be asked next. */
  follow_ups?: string[];
  pair?: Pair;
  is_hidden?: boolean;
  is_person?: boolean;
  is_by_email?: boolean;
  person_name?: string;
  person_picture?: string;
  is_imported?: boolean;
}

/** Parameters of one request for an answer. */
export interface GenerationOptions {
  reasoning_effort?: string;
  max_tokens?: number;
}

/** A request in a stored conversation. It has exactly one of `text`, `retry`, `resume` and `beside`. */
export interface StoredSend extends GenerationOptions {
  /** The idempotency key. */
  key: string;
  text?: string;
  model?: string;
  /** The message that `text` follows; 0 for none. */
  parent?: number;
  persona?: string;
  project?: string;
  /** The IDs of collections to search from now on. */
  collections?: string[];
  /** The names of the site's tools to use from now on. */
  site_tools?: string[];
  /** The ID of an answer whose question is answered again. */
  retry?: number;
  /** The ID of an answer to continue. */
  resume?: number;
  /** The ID of an answer that another one is compared with. */
  beside?: number;
  /** The model whose answer will be compared with this one; `is_blind` hides which is which. */
  compare_with?: string;
  is_blind?: boolean;
  /** What the website says about its page and its user. */
  context?: object;
}

/** A message as models receive it. */
export interface ChatMessage {
  role: "user" | "assistant";
  content: string | ContentPart[];
}

/** A part of a question with images, in OpenAI's form. */
export type ContentPart = { type: "text"; text: string } | { type: "image_url"; image_url: { url: string } };

/** A request in a temporary chat, with the whole conversation. */
export interface TemporarySend extends GenerationOptions {
  key?: undefined;
  messages: ChatMessage[];
  model?: string;
  persona?: string;
  /** The IDs of collections to search for the answer. */
  collections?: string[];
  /** The names of the site's tools to use for it. */
  site_tools?: string[];
}

/** Modules that are loaded on first use: the names in project/npm/js_modules.py. */
export interface OnDemandModules {
  answer_cards: typeof import("./controllers/widget/answer_cards.js");
  answer_extras: typeof import("./controllers/transcript/answer_extras.js");
  delayed_send: typeof import("./controllers/composer/delayed_send.js");
  dictation: typeof import("./controllers/composer/dictation.js");
  file_reader: typeof import("./controllers/composer/file_reader.js");
  image_dialog: typeof import("./controllers/transcript/image_dialog.js");
  markdown: typeof import("./markdown/markdown.js");
  answer_details: typeof import("./controllers/transcript/answer_details.js");
  answer_notices: typeof import("./controllers/chat/answer_notices.js");
  rich_text: typeof import("./markdown/rich_text.js");
  code_preview: typeof import("./markdown/preview/code_preview.js");
  code_tools: typeof import("./markdown/code_tools/code_tools.js");
  command_palette: typeof import("./controllers/commands/command_palette.js");
  model_menu: typeof import("./controllers/composer/model_menu.js");
  organizer: typeof import("./controllers/sidebar/organizer.js");
  prompts: typeof import("./prompts/prompts.js");
  quote_button: typeof import("./controllers/composer/quote_button.js");
  scroll_to_hit: typeof import("./controllers/transcript/scroll_to_hit.js");
  side_by_side: typeof import("./controllers/comparing/side_by_side.js");
  reading_aloud: typeof import("./controllers/speech/reading_aloud.js");
  report_dialog: typeof import("./controllers/feedback/report_dialog.js");
  turn_tools: typeof import("./controllers/editing/turn_tools.js");
  original_link: typeof import("./controllers/transcript/original_link.js");
  visitor_files: typeof import("./controllers/widget/visitor_files.js");
  marked: typeof import("marked");
  remend: typeof import("remend");
  highlight: { default: Highlighter };
  [language: `highlight/${string}`]: { default: object };
  temml: typeof import("temml");
  /** Used by its attributes only. */
  htmx: object;
}

/** The part of highlight.js that is used here. */
export interface Highlighter {
  getLanguage(name: string): object | undefined;
  registerLanguage(name: string, grammar: object): void;
  highlight(source: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

/** Shows status messages, and announces them to screen readers. */
export interface StatusLine {
  say(words: string): void;
  hint(words: string): void;
}
