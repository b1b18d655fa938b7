/**
 * This site requires Trusted Types: strings are not HTML. The only exception is htmx, which parses the server's
 * fragments with `Document.parseHTMLUnsafe`, into an inert document of its own; all else, above all `innerHTML`, stays
 * blocked.
 */

const { trustedTypes } = window;

if (trustedTypes && "parseHTMLUnsafe" in Document) {
  const policy = trustedTypes.createPolicy("htmx", { createHTML: (html) => html });
  const parse = Document.parseHTMLUnsafe.bind(Document);
  Document.parseHTMLUnsafe = (html, ...rest) => {
    const trusted = /** @type {unknown} */ (policy.createHTML(String(html))); // TypeScript knows strings only
    return parse(/** @type {string} */ (trusted), ...rest);
  };
}
