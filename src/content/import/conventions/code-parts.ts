const FENCE_START = /^[ \t>]*(`{3,}|~{3,})/;

/** Splits a text into prose and code (fenced blocks and code spans), because code must not be changed. */
export function* splitCodeAndProse(text: string): Generator<{ part: string; isCode: boolean }> {
  let prose = "";
  let code = "";
  let fence = "";
  for (const line of text.split(/(?<=\n)/)) {
    const fenceBefore = fence;
    fence = findFenceOpenAfter(line, fence);
    if (fenceBefore === "" && fence === "") prose += line;
    else code += line;
    if (fenceBefore === "" && fence !== "") {
      yield* spansAndProse(prose);
      prose = "";
    }
    if (fenceBefore === "" || fence !== "") continue;
    yield { part: code, isCode: true };
    code = "";
  }
  if (code !== "") yield { part: code, isCode: true };
  yield* spansAndProse(prose);
}

function* spansAndProse(text: string): Generator<{ part: string; isCode: boolean }> {
  let copiedTo = 0;
  for (const { 0: span, index } of text.matchAll(
    /(?<!`)(`{1,3})(?!`)(?:[^`\n]|\n(?!\s*\n)){1,2000}?(?<!`)\1(?!`)/g,
  )) {
    if (index > copiedTo) yield { part: text.slice(copiedTo, index), isCode: false };
    yield { part: span, isCode: true };
    copiedTo = index + span.length;
  }
  if (copiedTo < text.length) yield { part: text.slice(copiedTo), isCode: false };
}

/**
 * Returns the fence, such as three backticks, of the code block that is open after `line`; empty: no block is
 * open. `fence` is the fence of the block that is open before `line`.
 */
export function findFenceOpenAfter(line: string, fence: string): string {
  const [, mark = ""] = FENCE_START.exec(line) ?? [];
  if (fence === "") return mark;
  return mark.startsWith(fence) && line.replace(/^[ \t>]+/, "").trim() === mark ? "" : fence;
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
