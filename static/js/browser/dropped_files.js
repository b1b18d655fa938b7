/** Read the files that were dropped or chosen, with those in folders. */

/** @typedef {{file: File, path: string}} FileWithPath `path` is the name after those of its folders, but the topmost */

/** Files that systems add to folders. */
const IGNORED = new Set(["Thumbs.db", "desktop.ini", "__MACOSX"]);

/** Return files that were chosen, alone or as a folder. @param {Iterable<File>} files @returns {FileWithPath[]} */
export function chosenFiles(files) {
  const all = [...files].map((file) => ({ file, path: belowTop(file.webkitRelativePath) || file.name }));
  return all.filter(({ path }) => path.split("/").every(isWanted));
}

/** Return files and those in folders that were dropped. @param {DataTransfer} data @returns {Promise<FileWithPath[]>} */
export async function droppedFiles(data) {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (!entries.length) return chosenFiles(data.files);
  /** @type {FileWithPath[]} */
  const found = [];
  for (const entry of entries) {
    for (const each of entry.isDirectory ? await children(entry) : [entry]) await collect(each, "", found);
  }
  return found;
}

/**
 * Accept files dropped anywhere on the page; otherwise the browser would open them instead of the page.
 * @param {HTMLElement} element gets `data-dropping` while files are over the page
 * @param {(data: DataTransfer) => void} drop
 * @param {AbortSignal} [signal]
 */
export function wireDrop(element, drop, signal) {
  const mark = (/** @type {boolean} */ isOver) => element.toggleAttribute("data-dropping", isOver);
  const onFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!onFiles(event)) return;
    event.preventDefault();
    mark(true);
  }, { signal });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) mark(false);
  }, { signal });
  document.addEventListener("drop", (event) => {
    mark(false);
    if (!onFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) drop(event.dataTransfer);
  }, { signal });
}

/** @param {FileSystemEntry} entry @param {string} folder @param {FileWithPath[]} found */
async function collect(entry, folder, found) {
  if (!isWanted(entry.name)) return;
  const path = folder + entry.name;
  if (entry.isDirectory) {
    for (const child of await children(entry)) await collect(child, `${path}/`, found);
  } else {
    const file = await new Promise((resolve) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, () => resolve(null)));
    found.push({ file: file ?? new File([], entry.name), path }); // one that can't be read is refused as empty, by its name
  }
}

/** @param {FileSystemEntry} folder @returns {Promise<FileSystemEntry[]>} */
async function children(folder) {
  const reader = /** @type {FileSystemDirectoryEntry} */ (folder).createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([]))); // a hundred at once
    if (!some.length) return all;
    all.push(...some);
  }
}

/** @param {string} name */
function isWanted(name) {
  return !name.startsWith(".") && !IGNORED.has(name);
}

/** @param {string} path */
function belowTop(path) {
  return path.slice(path.indexOf("/") + 1);
}
