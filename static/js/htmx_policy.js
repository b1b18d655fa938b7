/**
 * This site requires Trusted Types: strings are not HTML. The only exception is htmx, which parses the server's
 * fragments with `Document.parseHTMLUnsafe`, into a separate, inert document. Everything else, such as `innerHTML`, stays
 * blocked.
 */

const { trustedTypes } = window;

if (trustedTypes && "parseHTMLUnsafe" in Document) {
  const policy = trustedTypes.createPolicy("htmx", { createHTML: (html) => html });
  const parse = Document.parseHTMLUnsafe.bind(Document);
  Document.parseHTMLUnsafe = (html, ...rest) => {
    const trusted = /** @type {unknown} */ (policy.createHTML(String(html))); // TypeScript only accepts strings here
    return parse(/** @type {string} */ (trusted), ...rest);
  };
}
