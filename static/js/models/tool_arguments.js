/** The arguments of a tool's call. Pure. */

/** Return whether a stream has left out the end of a call's arguments. @param {{arguments: string}} call */
export function isCut(call) {
  try {
    JSON.parse(call.arguments);
    return false;
  } catch {
    return true;
  }
}

/** Return the arguments that a model wrote; none if they aren't an object. @param {string} json @returns {Record<string, unknown>} */
export function valuesOf(json) {
  try {
    const values = JSON.parse(json);
    return values && typeof values === "object" && !Array.isArray(values) ? values : {};
  } catch {
    return {}; // cut, because it is long
  }
}
