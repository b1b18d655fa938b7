/** Draw Mermaid's diagrams in the frame. */

import { clean } from "./page.js";

/** @typedef {{initialize(options: object): void, render(id: string, source: string): Promise<{svg: string}>}} Mermaid */

/** @param {string} url @returns {Promise<Mermaid>} */
export function loadMermaid(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.nonce = document.querySelector("script")?.nonce ?? "";
    script.src = url;
    script.onload = () => resolve(/** @type {{mermaid: Mermaid}} */ (/** @type {unknown} */ (window)).mermaid);
    script.onerror = reject;
    document.head.append(script);
  });
}

/**
 * @param {string} source
 * @param {boolean} isDark
 * @param {Mermaid} mermaid
 */
export async function showDiagram(source, isDark, mermaid) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    theme: isDark ? "dark" : "default",
  });
  const { svg } = await mermaid.render("diagram", source);
  const parsed = new DOMParser().parseFromString(svg, "text/html");
  clean(parsed);
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  document.body.style.cssText = "display: grid; justify-items: center";
  document.body.replaceChildren(document.adoptNode(parsed.body.firstElementChild ?? parsed.body));
}
