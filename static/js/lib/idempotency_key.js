/** Return a new idempotency key. `randomUUID` is missing on plain HTTP, so random bytes are formatted here. */
export function newIdempotencyKey() {
  const numbers = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(numbers, (number) => number.toString(16).padStart(2, "0")).join("");
}
