/** Create the frame of a chat, for panel.js. */

const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";

/** @param {import("./panel.js").Widget} widget */
export function createFrame(widget) {
  const frame = document.createElement("iframe");
  frame.title = widget.name;
  frame.allow = "clipboard-write; autoplay"; // a sound for new messages, once the visitor has used the page
  frame.setAttribute("sandbox", SANDBOX);
  frame.src = addressOf(widget);
  if (widget.isInline) frame.loading = "lazy";
  return frame;
}

/** @param {import("./panel.js").Widget} widget */
function addressOf({ origin, data, isInline }) {
  const { site = "", lang = "", draft, color = "", theme = "", header = "" } = data;
  const look = new URLSearchParams({ color, theme, header, ...(isInline && { inline: "1" }) });
  const query = new URLSearchParams({ lang, ...(draft && { draft }) });
  return `${origin}/w/${encodeURIComponent(site)}/?${query}#${look}`;
}
