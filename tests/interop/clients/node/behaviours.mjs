// What each Node client is asked to do; the Python ones are asked the same (../python/behaviours.py).
const { RUNNEL_API_KEY, RUNNEL_RATE_KEY, RUNNEL_QUOTA_KEY, RUNNEL_URL } = process.env;

export const MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
export const GEMMA = "@cf/google/gemma-4-26b-a4b-it";
export const SITE = RUNNEL_URL;
export const KEY = RUNNEL_API_KEY;
/** A site whose model calls `read_gauge` three times, and then says what it read. */
export const TASK_SITE = { url: `${process.env.RUNNEL_TASK_URL}/v1`, key: process.env.RUNNEL_TASK_KEY, model: "brook-1" };
export const TASK = "How high does the river stand?";

export function readGauge({ query }) {
  if (query === "nowhere") throw new Error("There is no such gauge.");
  return "4.2 m";
}

const BEHAVIOURS = {
  whole: [false, "Hello", KEY],
  streamed: [true, "Hello", KEY],
  wrong_key: [false, "Hello", "DUMMY_KEY"],
  rate: [false, "Hello", RUNNEL_RATE_KEY],
  quota: [false, "Hello", RUNNEL_QUOTA_KEY],
  context: [false, "/error 5021", KEY],
  broken: [true, "/error-after 3", KEY],
  cut: [true, "/cut 3", KEY],
};

/** Prints as JSON what happened for each behaviour, and for what only this client does. */
export async function tell(ask, stream, more = {}) {
  const found = {};
  for (const [name, [isStreamed, prompt, key]] of Object.entries(BEHAVIOURS)) {
    found[name] = await outcome(() => (isStreamed ? stream : ask)(prompt, key));
  }
  for (const [name, work] of Object.entries(more)) found[name] = await outcome(work);
  process.stdout.write(`\n${JSON.stringify(found)}\n`, () => process.exit());
}

async function outcome(work) {
  try {
    return { result: await work() };
  } catch (error) {
    const message = String(error?.message ?? error).slice(0, 300);
    return { error: classesOf(error), message, waits: globalThis.waits?.splice(0) };
  }
}

function classesOf(error) {
  const names = [];
  for (let each = error?.constructor; each?.name && each !== Error; each = Object.getPrototypeOf(each)) {
    names.push(each.name);
  }
  return names;
}
