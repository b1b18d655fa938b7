/** What only those need who change what was said; fetched when it is first wanted, as `turns`. */

export { branchOff } from "./branching.js";
export { openEditor } from "./question_editor.js";
export { deleteTurn } from "./turn_deletion.js";
