/** An element of a JSON list; `value` is null if it is malformed. */
export interface JsonElement {
  line: number;
  value: unknown;
  isJson: boolean;
}

const DEPTH_MAX = 100;

/**
 * The objects of a JSON list. Parses each object separately, so that a damaged object does not affect the
 * others. After a damaged object, parsing continues at the next line that starts an object at the same
 * indentation.
 */
export function* parseObjectsInJsonList(text: string): Generator<JsonElement> {
  const lineAt = lineCounter(text);
  const start = text.indexOf("[");
  const first = text.indexOf("{", start);
  if (first < 0) return;
  const indentation = /[ \t]*$/.exec(text.slice(Math.max(0, first - 200), first))?.[0] ?? "";
  const startsLine = text[first - indentation.length - 1] === "\n";
  for (let at = first; at >= 0; ) {
    const end = endOfObject(text, at);
    const value = end < 0 ? undefined : parseJson(text.slice(at, end));
    if (value !== undefined) {
      yield { line: lineAt(at), value, isJson: true };
      at = text.indexOf("{", end);
      continue;
    }
    yield { line: lineAt(at), value: null, isJson: false };
    const next = startsLine
      ? text.indexOf(`\n${indentation}{`, at)
      : text.indexOf("{", Math.max(end, at + 1));
    at = next < 0 || (end < 0 && !startsLine) ? -1 : text.indexOf("{", next);
  }
}

/** The position after the object's closing brace, or -1 if there is none. */
function endOfObject(text: string, at: number): number {
  // The closing quotation mark is optional, so that unclosed strings take linear time.
  const tokens = /"(?:[^"\\\n]|\\.)*"?|[{}[\]]/g;
  tokens.lastIndex = at;
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [token] = found;
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0) return tokens.lastIndex;
    if (depth > DEPTH_MAX) return -1;
  }
  return -1;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a function that finds the line number, from 1, of a position. Positions must ascend. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let countedTo = 0;
  return (at) => {
    for (let end = text.indexOf("\n", countedTo); end >= 0 && end < at; ) {
      line += 1;
      countedTo = end + 1;
      end = text.indexOf("\n", countedTo);
    }
    return line;
  };
}
