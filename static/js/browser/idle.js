/** Run a task when the browser is idle, or after a second. @param {() => void} task */
export function whenIdle(task) {
  if (typeof requestIdleCallback === "function") requestIdleCallback(task, { timeout: 1000 });
  else setTimeout(task, 20);
}

/** Let the browser handle events and render before continuing. @returns {Promise<void>} */
export function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}
