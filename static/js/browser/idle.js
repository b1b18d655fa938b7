/** Runs a task when nothing else is to be done, and within a second. @param {() => void} task */
export function whenIdle(task) {
  if (typeof requestIdleCallback === "function") requestIdleCallback(task, { timeout: 1000 });
  else setTimeout(task, 20);
}

/** Lets the page breathe. @returns {Promise<void>} */
export function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}
