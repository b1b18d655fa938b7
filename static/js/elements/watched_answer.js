/** An answer that the staff sees being written, or that has come since their page was made. */

import { Answer } from "../models/answer.js";
import { describeOutcome } from "../models/outcome.js";
import { AnswerRequest } from "../models/answer_request.js";
import { applyStoredMessage } from "../models/stored_conversation.js";
import { FrameScheduler } from "../browser/frame_scheduler.js";
import { copyOf, show } from "./parts.js";
import { Words } from "./words.js";

export class WatchedAnswer {
  root;
  #parts;
  #answer = new Answer("");
  #words;
  #batch = new FrameScheduler(() => this.#update());

  /**
   * @param {import("../api/staff_review.js").WatchedMessage} turn
   * @param {import("./status.js").Status} status
   */
  constructor(turn, status) {
    const { root, parts } = copyOf("live-answer");
    this.root = root;
    this.#parts = parts;
    this.#words = new Words(parts.words, status);
    root.id = `m${turn.id}`;
    parts.moment.textContent = turn.moment;
    parts.person.hidden = !turn.is_person;
    parts.author.textContent = turn.author;
    applyStoredMessage(this.#answer, turn);
    this.#update();
  }

  /**
   * Reads on to its end, if it is being written.
   * @param {import("../browser/browser_env.js").BrowserEnv} env
   * @param {() => Promise<import("../api/conversations.js").StoredMessage>} stored
   */
  async follow(env, stored) {
    if (this.#answer.isOver) return;
    const listener = { taken() {}, changed: () => this.#batch.schedule(), stopFailed() {} };
    await new AnswerRequest(env, this.#answer, listener, stored).run(null);
    this.#batch.cancel();
    this.#update();
  }

  #update() {
    const { text, reasoning, isOver, state } = this.#answer;
    this.root.dataset.state = state;
    this.root.toggleAttribute("data-text", text !== "");
    this.#words.show(text, isOver);
    this.#parts.reasoning.hidden = !reasoning;
    show(this.#parts.thoughts, reasoning);
    show(this.#parts.outcome, describeOutcome(this.#answer)?.words ?? "");
  }
}
