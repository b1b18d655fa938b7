/** The models that were used last on this device. */

const NAME = "recent-models";
const MAX = 3;

/** @typedef {Pick<import("../browser/safe_storage.js").SafeStorage, "read" | "write">} Storage */

/** Return their ids, the latest first. @param {Storage} storage */
export function recentModels(storage) {
  return idsIn(storage.read(NAME));
}

/** Remember that a message goes to a model. @param {Storage} storage @param {string} id */
export function rememberModel(storage, id) {
  const recent = [id, ...recentModels(storage).filter((each) => each !== id)];
  storage.write(NAME, recent.slice(0, MAX).join(" "));
}

/** @param {string | null | undefined} text ids with spaces between them */
export function idsIn(text) {
  return (text ?? "").split(" ").filter(Boolean);
}
