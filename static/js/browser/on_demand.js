/**
 * A module that is fetched when it is first wanted. What could not be fetched is null; who wants it again waits for a
 * moment, and it is asked for under another address, as a browser never asks twice for a module of the same one.
 */

const PAUSE_MS = 1000;

/** @typedef {import("../types.js").OnDemandModules} Modules */

/**
 * @template {keyof Modules} Name
 * @param {Name} name in the import map
 * @returns {() => Promise<Modules[Name] | null>}
 */
export function onDemand(name) {
  let failures = 0;
  /** @type {Promise<Modules[Name] | null> | undefined} */
  let coming;
  return () => (coming ??= attempt());

  async function attempt() {
    const address = import.meta.resolve(name);
    if (failures) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      return await import(failures ? `${address}?${failures}` : address);
    } catch {
      failures++;
      coming = undefined;
      return null;
    }
  }
}
