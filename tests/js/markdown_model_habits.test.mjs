/** What models write and CommonMark reads differently: emphasis in CJK text, code in Markdown, bars in formulas. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { outlineOf, read } from "./markdown_pages.mjs";

const shown = (text) => outlineOf(read([text]));
const fragment = (outline) => outline.replace(/^p\[(.*)\]$/, "$1");

const EMPHASIS = [
  ["这是**我想做的事。**所以继续。", '"这是", strong["我想做的事。"], "所以继续。"'],
  ["문서는 **마크다운(Markdown)**을 쓴다", '"문서는 ", strong["마크다운(Markdown)"], "을 쓴다"'],
  ["これは*「引用」*です", '"これは", em["「引用」"], "です"'],
  ["中***（重要）***文", '"中", em[strong["（重要）"]], "文"'],
  ["旧~~价格：5元。~~新", '"旧", del["价格：5元。"], "新"'],
  ["他说**“你好”**然后", '"他说", strong["“你好”"], "然后"'],
  ["用**`code`**函数", '"用", strong[code["code"]], "函数"'],
  ["葛󠄀**（か）**葛", '"葛󠄀", strong["（か）"], "葛"'],
  ["𠮷**(a)**𠮷", '"𠮷", strong["(a)"], "𠮷"'],
  ["**太郎は\\*言った。**と", 'strong["太郎は*言った。"], "と"'],
  ["**一。**二**三。**四", 'strong["一。"], "二", strong["三。"], "四"'],
  ["a**(b)**c", '"a**(b)**c"'],
  ["2 * 3 * 4 和 ** 空 **", '"2 * 3 * 4 和 ** 空 **"'],
  ["中_（x）_文", '"中_（x）_文"'],
];

test("delimiters beside Chinese, Japanese and Korean text need no spaces", () => {
  for (const [text, outline] of EMPHASIS) assert.equal(fragment(shown(text)), outline, text);
});

const FENCES = [
  ["```markdown\n# T\n```python\nx\n```\nmore\n```\n\nafter", "# T\n```python\nx\n```\nmore"],
  ["~~~md\n~~~js\nx\n~~~\n~~~\n\nafter", "~~~js\nx\n~~~"],
  ["````markdown\n```py\nx\n```\n````\n\nafter", "```py\nx\n```"],
  ["```markdown\n- a\n  ```sh\n  x\n  ```\n```\n\nafter", "- a\n  ```sh\n  x\n  ```"],
  ["```markdown\n# T\n```\n\nafter", "# T"],
  ["```markdown\n```py\n```\n\nafter", "```py"], // nothing closes the whole, so CommonMark's reading holds
  ["```python\n```js\n```\n\nafter", "```js"],
];

test("a fence with a language opens a nested block in one of Markdown", () => {
  for (const [text, code] of FENCES) {
    const [block, after] = read([text]);
    assert.equal(block.leaf.source, code, text);
    assert.equal(outlineOf([after]), 'p["after"]', text);
    assert.equal(outlineOf(read([...text])), shown(text), text);
  }
});

test("the block of an item may have nested ones too", () => {
  const [list] = read(["1. x\n\n   ```md\n   ```js\n   y\n   ```\n   z\n   ```\n\n   end\n"]);
  const [, block, end] = list.children[0].children;
  assert.equal(block.leaf.source, "```js\ny\n```\nz");
  assert.equal(outlineOf([end]), 'p["end"]');
});

const cells = (text) => {
  const rows = [];
  const walk = (node) => {
    if (node.tag === "tr") rows.push(node.children.map(({ children }) => outlineOf(children)));
    else node.children?.forEach(walk);
  };
  read([text]).forEach(walk);
  return rows;
};

test("bars in formulas end no cell of a table", () => {
  const text = "| \\(f|g\\) | $h$ |\n|---|---|\n| \\(P(A|B)\\) | $|x|$ |\n| 5$ | 6$ |\n| `a` \\| b | c |\n\nafter | x\n";
  const [head, one, two, three] = cells(text).map((row) => row.map((cell) => cell.replaceAll(/\w+\(class=maths[^)]*\)/g, "maths")));
  assert.equal(head.length, 2);
  assert.ok(one[0].includes("P(A|B)") && one[1].includes("|x|"), one.join());
  assert.deepEqual(two, ['"5$"', '"6$"']);
  assert.equal(three.length, 2);
  assert.equal(outlineOf(read([...text])), shown(text));
});
