/** The tools for changing messages; loaded on first use as `turn_tools`. */

export { branchIntoNewChat } from "./branch_into_new_chat.js";
export { openEditor } from "./question_editor.js";
export { deleteTurn } from "./turn_deletion.js";
