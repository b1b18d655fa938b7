/**
 * Offer text as a file to save.
 * @param {string} text
 * @param {string} name
 */
export function saveText(text, name) {
  const link = document.createElement("a");
  // Not its own type: a browser that shows the file instead of saving it must not run it.
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // when the browser has read it
}
