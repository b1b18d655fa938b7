/** An answer on a staff page that is running, or was added after the page was rendered. */

import { FrameScheduler } from "../../browser/frame_scheduler.js";
import { Answer } from "../../models/answer.js";
import { AnswerRequest } from "../../models/answer_request.js";
import { describeOutcome } from "../../models/outcome.js";
import { applyStoredMessage } from "../../models/stored_conversation.js";
import { AnswerMarkdown } from "../transcript/answer_markdown.js";
import { cloneTemplate, showText } from "../ui/template_parts.js";

export class WatchedAnswer {
  root;
  #parts;
  #answer = new Answer("");
  #text;
  #scheduler = new FrameScheduler(() => this.#update());

  /**
   * @param {import("../../api/staff_review.js").WatchedMessage} turn
   * @param {Pick<import("../ui/status.js").Status, "hint">} status
   */
  constructor(turn, status) {
    const { root, parts } = cloneTemplate("live-answer");
    this.root = root;
    this.#parts = parts;
    this.#text = new AnswerMarkdown(parts.text, status);
    root.id = `m${turn.id}`;
    parts.moment.textContent = turn.moment;
    parts.person.hidden = !turn.is_person;
    parts.author.textContent = turn.author;
    applyStoredMessage(this.#answer, turn);
    this.#update();
  }

  /**
   * Follow the answer to its end if it is running.
   * @param {import("../../browser/browser_env.js").BrowserEnv} env
   * @param {() => Promise<import("../../api/conversations.js").StoredMessage>} stored
   */
  async follow(env, stored) {
    if (this.#answer.isOver) return;
    const listener = { taken() {}, changed: () => this.#scheduler.schedule(), stopFailed() {} };
    await new AnswerRequest(env, this.#answer, listener, stored).run(null);
    this.#scheduler.cancel();
    this.#update();
  }

  #update() {
    const { text, reasoning, isOver, state } = this.#answer;
    this.root.dataset.state = state;
    this.root.toggleAttribute("data-text", text !== "");
    this.#text.show(text, isOver);
    this.#parts.reasoning.hidden = !reasoning;
    showText(this.#parts.reasoningText, reasoning);
    showText(this.#parts.outcome, describeOutcome(this.#answer)?.words ?? "");
  }
}
