/** The tools for changing messages; loaded on first use as `turn_tools`. */

export { openEditor } from "./question_editor.js";
export { turnCommands } from "./turn_commands.js";
