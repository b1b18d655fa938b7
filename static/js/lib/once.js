/**
 * Makes something when it is first wanted, and keeps it.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
export function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}
