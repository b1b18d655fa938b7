/** The tools for changing messages, and asking for other answers; loaded on first use as `turn_tools`. */

export { openEditor } from "./question_editor.js";
export { turnCommands } from "./turn_commands.js";
export { openRetryMenu } from "../transcript/retry_menu.js";
