/** Show images to a visitor: each request needs their token, which an address alone does not have. */

import { attachAsVisitor } from "../transcript/attachment_view.js";

/** @param {typeof fetch} fetchAsVisitor */
export function wireVisitorImages(fetchAsVisitor) {
  attachAsVisitor({
    fetch: fetchAsVisitor,
    async show(picture, url) {
      const response = await fetchAsVisitor(url).catch(() => null);
      if (!response?.ok) return;
      const reader = new FileReader(); // the frame's policy allows data: URLs
      reader.addEventListener("load", () => (picture.src = String(reader.result)));
      reader.readAsDataURL(await response.blob());
    },
  });
}
