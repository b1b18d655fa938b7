/** A message that waits until the site takes it: when it is sent, and what cancels that. Pure; takes the time. */

/** A longer wait is only shown: by then, the user may have left. */
export const LONGEST_WAIT_SECONDS = 60;
const MAX_ATTEMPTS = 3;
const LATE_MS = 60_000; // the device was asleep meanwhile

export class DelayedSend {
  text;
  #due;
  /** @type {number} */
  #attempt;

  /**
   * @param {string} text
   * @param {number} seconds
   * @param {number} now milliseconds
   * @param {DelayedSend | null} [earlier] the one before it
   */
  constructor(text, seconds, now, earlier = null) {
    this.text = text;
    this.#due = now + seconds * 1000;
    this.#attempt = earlier?.text === text ? earlier.#attempt + 1 : 1;
    /** Whether it is sent by itself. */
    this.isAutomatic = seconds > 0 && seconds <= LONGEST_WAIT_SECONDS && this.#attempt <= MAX_ATTEMPTS;
  }

  /** @param {number} now */
  secondsLeft(now) {
    return Math.max(0, Math.ceil((this.#due - now) / 1000));
  }

  /**
   * Return what to do. A message that was changed is not sent by itself any more.
   * @param {string} text in the message box
   * @param {number} now
   * @returns {"wait" | "send" | "cancel"}
   */
  step(text, now) {
    if (text !== this.text || now > this.#due + LATE_MS) return "cancel";
    return now < this.#due ? "wait" : "send";
  }
}
