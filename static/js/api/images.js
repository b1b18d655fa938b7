/**
 * Upload images, or keep them in the tab. Large photographs are made smaller first: models read no more than `LONGEST_SIDE`. Photographs are
 * always drawn anew, upright, without where and with which camera they were taken.
 */

import { newIdempotencyKey } from "../lib/idempotency_key.js";
import { errorFromResponse, unreachableError } from "./errors.js";
import { IMAGES_URL } from "./urls.js";

const LONGEST_SIDE = 1568;
const KEPT = ["image/png", "image/webp"];
const PHOTOGRAPH = "image/jpeg";

/** @typedef {{digest: string, width: number, height: number, bytes: number}} StoredImage */

/** A vector image is a text file. @param {File} file */
export function isImage({ type }) {
  return type.startsWith("image/") && type !== "image/svg+xml";
}

/**
 * @returns {Promise<StoredImage | import("./errors.js").ApiError | "too_large" | null>} null if it can't be read
 * @param {import("../browser/browser_env.js").BrowserEnv} env
 * @param {File} file
 * @param {number} maxBytes
 */
export async function uploadImage(env, file, maxBytes) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  /** @type {import("./errors.js").ApiError | "too_large"} */
  let problem = "too_large";
  for await (const blob of versions(file, bitmap)) {
    if (blob.size > maxBytes) continue;
    const found = await post(env, blob);
    if ("digest" in found) return found;
    problem = found;
    if (found.status !== 415) break; // an animation, for example, is not taken as it is
  }
  return problem;
}

/**
 * Keep the image in the page's memory, always drawn anew. What was wrong is returned as by `uploadImage`.
 * @param {import("../models/tab_images.js").TabImages} images
 * @param {File} file
 * @param {number} maxBytes
 * @returns {Promise<{digest: string} | "too_large" | null>}
 */
export async function keepImage(images, file, maxBytes) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  for await (const blob of versions(file, bitmap, [])) {
    if (blob.size > maxBytes) continue;
    const digest = newIdempotencyKey(); // any name in the form of one
    images.add(digest, { url: await dataUrl(blob), bytes: blob.size });
    return { digest };
  }
  return "too_large";
}

/** @param {Blob} blob @returns {Promise<string>} */
function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

/** Yield the image in ever smaller versions. @param {File} file @param {ImageBitmap} bitmap @param {string[]} kept types */
async function* versions(file, bitmap, kept = KEPT) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  if (scale === 1 && kept.includes(file.type)) yield file;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  if (file.type !== PHOTOGRAPH) {
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    yield* encoded(canvas, "image/png");
  }
  context.fillStyle = "#fff"; // in place of transparency, which photographs don't have
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  yield* encoded(canvas, PHOTOGRAPH, 0.9);
  yield* encoded(canvas, PHOTOGRAPH, 0.7);
}

/** @param {HTMLCanvasElement} canvas @param {string} type @param {number} [quality] */
async function* encoded(canvas, type, quality) {
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, type, quality));
  if (blob) yield blob;
}

/** @param {import("../browser/browser_env.js").BrowserEnv} env @param {Blob} body */
async function post(env, body) {
  const headers = { "Content-Type": body.type, Accept: "application/json", "X-CSRFToken": env.csrfToken() };
  const response = await env.fetch(IMAGES_URL, { method: "POST", headers, body }).catch(() => null);
  if (!response) return unreachableError();
  return response.ok ? /** @type {Promise<StoredImage>} */ (response.json()) : errorFromResponse(response);
}
