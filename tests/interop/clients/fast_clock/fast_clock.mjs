// Shortens what a Node client waits between its attempts, and notes each wait, in seconds.
const { setTimeout } = globalThis;
const isWait = (milliseconds) => milliseconds >= 100 && milliseconds <= 65_000; // longer ones are time limits

globalThis.waits = [];
globalThis.setTimeout = (work, milliseconds, ...given) => {
  if (!isWait(milliseconds)) return setTimeout(work, milliseconds, ...given);
  globalThis.waits.push(milliseconds / 1000);
  return setTimeout(work, 10, ...given);
};
