/**
 * A module that is fetched when it is first wanted. What could not be fetched is null, and after a pause it is asked for
 * again: under another address, for a browser never asks twice for a module of the same one.
 */

const PAUSE_MS = 1000;

/**
 * @param {string} name in the import map
 * @returns {() => Promise<any>}
 */
export function onDemand(name) {
  let attempts = 0;
  /** @type {Promise<any> | undefined} */
  let coming;
  return () => (coming ??= attempt());

  async function attempt() {
    const address = import.meta.resolve(name);
    try {
      return await import(attempts++ ? `${address}?${attempts}` : address);
    } catch {
      setTimeout(() => (coming = undefined), PAUSE_MS);
      return null;
    }
  }
}
