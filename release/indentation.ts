/** The compiler indents by four spaces, a seventh of its output. */
const INDENTATION = 4;
/** What a slash may follow that begins a regular expression rather than divides. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|of|in|yield|await))\s*$/;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y;
const EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;

/** Indents compiled code without comments by tabs. Template literals stay as they are. */
export function indentedByTabs(code: string): string {
  const inside = linesInTemplates(code);
  return code
    .split("\n")
    .map((line, at) => {
      const spaces = line.length - line.trimStart().length;
      const levels = spaces / INDENTATION;
      const isKept = inside.has(at) || !Number.isInteger(levels);
      return isKept ? line : "\t".repeat(levels) + line.slice(spaces);
    })
    .join("\n");
}

/** For each open template literal, the depth of braces in its current expression; null: in its text. */
type OpenTemplates = (number | null)[];

/** Numbers of the lines that begin within the text of a template literal, from 0. */
function linesInTemplates(code: string): Set<number> {
  const lines = new Set<number>();
  const open: OpenTemplates = [];
  let line = 0;
  for (let at = 0; at < code.length; ) {
    const isInText = open.at(-1) === null;
    if (code[at] === "\n") {
      line += 1;
      if (isInText) lines.add(line);
    }
    at = isInText ? afterText(code, at, open) : afterCode(code, at, open);
  }
  return lines;
}

function afterText(code: string, at: number, open: OpenTemplates): number {
  if (code[at] === "\\") return code[at + 1] === "\n" ? at + 1 : at + 2;
  if (code.startsWith("${", at)) {
    open.splice(-1, 1, 0);
    return at + 2;
  }
  if (code[at] === "`") open.pop();
  return at + 1;
}

function afterCode(code: string, at: number, open: OpenTemplates): number {
  const character = code[at];
  const depth = open.at(-1) ?? null;
  if (character === "`") open.push(null);
  else if (depth !== null && character === "{") open.splice(-1, 1, depth + 1);
  else if (depth !== null && character === "}") open.splice(-1, 1, depth === 0 ? null : depth - 1);
  return at + lengthOfLiteral(code, at);
}

/** The length of the string or regular expression that begins here; otherwise 1. */
function lengthOfLiteral(code: string, at: number): number {
  const isSlash = code[at] === "/";
  if (isSlash && !BEFORE_EXPRESSION.test(code.slice(Math.max(0, at - 30), at))) return 1;
  const literal = isSlash ? EXPRESSION : STRING;
  literal.lastIndex = at;
  return literal.exec(code)?.[0].length ?? 1;
}
