/** What not every answer has: sources, tools, suggested questions, a reason for a bad rating. Loaded on demand, as one file. */

export { askReason } from "../feedback/rating_reason.js";
export { showFollowUps } from "./follow_up_list.js";
export { showSources } from "./source_list.js";
export { showTools } from "./tool_list.js";
