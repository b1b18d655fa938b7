/**
 * Load a module on first use; null if that fails. The next use retries after a pause and with a different URL, because
 * browsers never fetch a failed module URL again.
 */

const PAUSE_MS = 1000;

/** @typedef {import("../types.js").OnDemandModules} Modules */

/**
 * @template {keyof Modules} Name
 * @param {Name} name its name in the import map
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
