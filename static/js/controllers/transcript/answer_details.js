/** The card with details of an answer, loaded on demand; one for the page, filled when it opens. */

import { answerMetrics } from "../../models/answer_metrics.js";

/**
 * @param {import("../../models/answer.js").Answer} answer
 * @param {import("../composer/model_picker.js").ModelChoice} models
 */
export function showDetails(answer, models) {
  const list = document.querySelector("#facts-card > dl");
  list?.replaceChildren(...answerMetrics(answer, models.nameOf(answer.model)).map(row));
}

/** @param {[string, string]} fact */
function row([name, value]) {
  const group = document.createElement("div");
  const term = document.createElement("dt");
  const description = document.createElement("dd");
  term.textContent = name;
  description.textContent = value;
  group.append(term, description);
  return group;
}
