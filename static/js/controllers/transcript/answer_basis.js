/** What an answer is based on: its sources, and the tools that it has used. Loaded on demand, as one file. */

export { showSources } from "./source_list.js";
export { showTools } from "./tool_list.js";
