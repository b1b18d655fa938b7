/** Runs in the chat page: lets an answer arrive step by step and looks at what it costs. */

const { Markdown } = await import("markdown");
const { default: remend } = await import("remend");
const RAW = /\*\*|~~|\]\(|(?:^|\n)#{1,6} /;
const TOKENS_PER_STEP = [4, 3, 3]; // 200 tokens a second, 60 frames a second

const writers = {
  ours(box) {
    const markdown = new Markdown(box, remend);
    return { append: (piece) => markdown.append(piece), end: () => markdown.end() };
  },
  async everyFrame(box) {
    const { marked } = await import("marked");
    const { default: DOMPurify } = await import("/benchmark/purify.es.mjs");
    let text = "";
    const write = () => (box.innerHTML = DOMPurify.sanitize(marked.parse(text)));
    return { append: (piece) => ((text += piece), write()), end: write };
  },
};

/** An empty answer on the page. */
function emptyBox() {
  const thread = document.getElementById("thread");
  thread.replaceChildren();
  const exchange = document.createElement("div");
  exchange.className = "exchange";
  const answer = document.createElement("article");
  answer.className = "turn answer";
  answer.dataset.state = "streaming";
  answer.dataset.text = "";
  const box = document.createElement("div");
  box.className = "words formatted";
  answer.append(box);
  exchange.append(answer);
  thread.append(exchange);
  document.getElementById("main").removeAttribute("data-empty");
  return box;
}

function* steps(tokens) {
  for (let at = 0, n = 0; at < tokens.length; n++) {
    const count = TOKENS_PER_STEP[n % 3];
    yield tokens.slice(at, at + count).join("");
    at += count;
  }
}

const { port1, port2 } = new MessageChannel();
const task = () =>
  new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });

/** Each step is a task of its own, with layout and scrolling, and without waiting. */
async function inSteps(name, tokens) {
  const box = emptyBox();
  const writer = await writers[name](box);
  for (const piece of steps(tokens)) {
    await task();
    writer.append(piece);
    scrollTo(0, document.documentElement.scrollHeight);
  }
  await task();
  writer.end();
  return box.textContent.length;
}

/** What a reader sees come and go. */
async function looks(name, tokens) {
  const box = emptyBox();
  const writer = await writers[name](box);
  const found = { renders: 0, retractions: 0, takenBack: 0, raw: 0 };
  let last = "";
  for (const piece of steps(tokens)) {
    writer.append(piece);
    const text = box.textContent.replace(/\s+/g, " ").trim();
    found.renders++;
    if (!text.startsWith(last)) {
      let same = 0;
      while (text[same] === last[same]) same++;
      found.retractions++;
      found.takenBack += last.length - same;
    }
    last = text;
    if (RAW.test(proseAtTheEnd(box))) found.raw++;
  }
  return found;
}

function proseAtTheEnd(box) {
  const walker = document.createTreeWalker(box.lastElementChild ?? box, NodeFilter.SHOW_TEXT);
  let text = "";
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("code, pre")) text += walker.currentNode.data;
  return text;
}

window.measure = { inSteps, looks };
