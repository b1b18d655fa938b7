import { onDemand } from "../../browser/on_demand.js";

const turnTools = onDemand("turn_tools");

/**
 * Load the tools for changing messages; show an error if that fails.
 * @param {import("../ui/status.js").Status} status
 */
export async function loadTurnTools(status) {
  const tools = await turnTools();
  if (!tools) status.hintNotLoaded();
  return tools;
}
