/**
 * Trusted Types are required on this site: strings are not HTML. The one exception is htmx, which
 * parses the server's fragments with `Document.parseHTMLUnsafe`. What it gets is a document of its own, in
 * which nothing runs; everything else, `innerHTML` above all, stays closed.
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
