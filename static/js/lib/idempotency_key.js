/**
 * A fresh idempotency key for a send. Plain HTTP in a local network has no `randomUUID`, so the
 * numbers are drawn by hand.
 */
export function newIdempotencyKey() {
  const numbers = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(numbers, (number) => number.toString(16).padStart(2, "0")).join("");
}
