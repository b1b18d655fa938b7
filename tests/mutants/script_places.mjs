/**
 * Print the edits that can be made to scripts, as JSON: the operators of python_operators.py, as far
 * as JavaScript has them. ESLint parses the scripts and visits their nodes.
 */

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";

import { Linter } from "eslint";

const SWAPPED = {
  "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===",
  "+": "-", "-": "+", "*": "/", "/": "*", "%": "*",
  "&&": "||", "||": "&&", "??": "||",
  "+=": "-=", "-=": "+=", "||=": "=", "&&=": "=", "??=": "=",
  "++": "--", "--": "++",
};

/** Return another number: one more, or twice as much where nobody could notice one more. */
const changed = (number) => (number < 100 ? number + 1 : number * 2);

/** Return the names of the functions and classes around a node. */
function scopeOf(node) {
  const names = [];
  for (let each = node; each; each = each.parent) {
    const name = each.type === "MethodDefinition" ? each.key : /^(Function|Class)/.test(each.type) && each.id;
    if (name) names.unshift(name.name);
  }
  return names.join(".");
}

/** Find the edits of one script. */
function editsOf(text) {
  const found = [];
  let scope = "";
  const add = (operator, start, end, replacement) => found.push({ scope, operator, start, end, replacement });
  const replace = (operator, node, by) => add(operator, node.range[0], node.range[1], by);

  const create = ({ sourceCode }) => {
    const swap = (operator) => (node) => {
      const [first, second] = node.left ? [node.left, node.right] : [null, null];
      const token = first
        ? sourceCode.getTokensBetween(first, second).find((each) => each.value === node.operator)
        : sourceCode.getTokens(node).find((each) => each.value === node.operator);
      if (node.operator in SWAPPED) replace(operator, token, SWAPPED[node.operator]);
    };
    const condition = (node) => {
      if (!node.test) return;
      if (!/Statement$/.test(node.type) || node.type === "IfStatement") replace("condition", node.test, "true");
      replace("condition", node.test, "false");
    };
    const remove = (node) => replace("statement removed", node, ";");
    const visitors = {
      BinaryExpression: swap("comparison or arithmetic"),
      LogicalExpression: swap("and/or"),
      AssignmentExpression: swap("assignment"),
      UpdateExpression: swap("arithmetic"),
      UnaryExpression: (node) => {
        if (["!", "-"].includes(node.operator)) add("negation removed", node.range[0], node.argument.range[0], "");
      },
      IfStatement: condition,
      ConditionalExpression: condition,
      WhileStatement: condition,
      ForStatement: condition,
      Literal: (node) => {
        if (/^(Import|Export)/.test(node.parent.type)) return;
        if (typeof node.value === "boolean") replace("constant", node, String(!node.value));
        if (typeof node.value === "number") replace("constant", node, String(changed(node.value)));
        if (typeof node.value === "string") replace("string", node, node.value ? '""' : '"changed"');
      },
      ReturnStatement: (node) => {
        if (node.argument) replace("return value", node.argument, "undefined");
      },
      ExpressionStatement: (node) => {
        const { type, left } = node.expression;
        if (["CallExpression", "AwaitExpression"].includes(type) || left?.type === "MemberExpression") remove(node);
      },
      ThrowStatement: remove,
      BreakStatement: (node) => replace("jump", node, "continue;"),
      ContinueStatement: (node) => replace("jump", node, "break;"),
    };
    const inScope = (visit) => (node) => {
      scope = scopeOf(node);
      visit(node);
    };
    return Object.fromEntries(Object.entries(visitors).map(([type, visit]) => [type, inScope(visit)]));
  };
  const plugins = { mutants: { rules: { places: { create } } } };
  const [failure] = new Linter().verify(text, [{ plugins, rules: { "mutants/places": "error" } }]);
  if (failure) throw new Error(failure.message);
  const bytes = (index) => Buffer.byteLength(text.slice(0, index));
  return found.map((edit) => ({ ...edit, start: bytes(edit.start), end: bytes(edit.end) }));
}

stdout.write(JSON.stringify(Object.fromEntries(argv.slice(2).map((path) => [path, editsOf(readFileSync(path, "utf8"))]))));
