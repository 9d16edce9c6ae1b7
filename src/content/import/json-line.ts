import type { ContentTypes } from "../content-type.ts";
import type { ParsedItem, Unknown } from "./parsed-item.ts";
import { isRecord, readStatedItem } from "./stated-item.ts";

/** Reads one line of a JSONL file: an item as a JSON object, its keys those of a front matter. */
export function parseJsonLine(
  text: string,
  {
    file,
    line,
    types,
    unknown,
  }: { file: string; line: number; types: ContentTypes; unknown: Unknown },
): ParsedItem {
  const placeOf = (where: string) => ({ line, field: where });
  const value = parsedJson(text);
  if (value instanceof SyntaxError || !isRecord(value)) {
    const message =
      value instanceof SyntaxError ? `is not JSON: ${value.message}` : "is not an object";
    const problems = [{ line, field: "", message, severity: "error" as const }];
    return { file, input: null, problems, statesStatus: false, placeOf };
  }
  const { input, problems, statesStatus } = readStatedItem(value, types, unknown);
  return {
    file,
    input,
    problems: problems.map(({ where, ...problem }) => ({ ...problem, line, field: where })),
    statesStatus,
    placeOf,
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
