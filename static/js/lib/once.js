/**
 * Create a value on first use and keep it.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
export function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}
