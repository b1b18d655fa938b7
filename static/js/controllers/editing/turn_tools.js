/** What only those need who change what was said; fetched when it is first wanted, as `turn_tools`. */

export { branchIntoNewChat } from "./branch_into_new_chat.js";
export { openEditor } from "./question_editor.js";
export { deleteTurn } from "./turn_deletion.js";
