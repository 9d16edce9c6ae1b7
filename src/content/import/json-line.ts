import type { Wording } from "../../errors.ts";
import { isRecord, type ParseOptions, parseItem } from "./item-parsing.ts";
import { splitIntoLines } from "./lines.ts";
import { createUnreadableItem, type ParsedItem } from "./parsed-item.ts";
import { adaptExportedStatus } from "./parsing/exported-status.ts";

/** Parses a file of JSON lines lazily. `onBytes` reports progress. */
export async function* parseJsonLines(
  bytes: AsyncIterable<Uint8Array>,
  { onBytes, ...options }: ParseOptions & { file: string; onBytes?: (bytes: number) => void },
): AsyncGenerator<ParsedItem> {
  for await (const line of splitIntoLines(bytes)) {
    onBytes?.(line.bytes + 1);
    if (line.text === null) yield createUnreadableItem(options.file, line.number, line.fault);
    else if (line.text.trim() !== "")
      yield parseJsonLine(line.text, { ...options, line: line.number });
  }
}

/** Parses one JSON line: an item as an object, with the keys of front matter. */
export function parseJsonLine(
  text: string,
  { file, line, ...options }: ParseOptions & { file: string; line: number },
): ParsedItem {
  const placeOf = (where: string) => ({ line, field: where });
  const value = parsedJson(text);
  if (value instanceof SyntaxError || !isRecord(value)) {
    const message = value instanceof SyntaxError ? notJson(value) : NOT_AN_OBJECT;
    const problems = [{ line, field: "", message, severity: "error" as const }];
    const noItem = { input: null, hasStatus: false, isNotPublic: false };
    return { ...noItem, file, problems, skipped: null, leftOut: [], placeOf };
  }
  const { raw, isDeleted } = adaptExportedStatus(value, options.now);
  const { problems, ...parsed } = parseItem(raw, options);
  return {
    ...parsed,
    file,
    problems: problems.map(({ where, ...problem }) => ({ ...problem, line, field: where })),
    isDeleted,
    // Only exports state the time of the last change.
    isExported: parsed.hasStatus && parsed.updatedAt !== undefined,
    skipped: null,
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

const NOT_AN_OBJECT: Wording = {
  en: "is not an object",
  de: "ist keine Gruppe von Angaben in geschweiften Klammern",
};

function notJson({ message }: SyntaxError): Wording {
  const place = /at position (\d+)/.exec(message)?.[1];
  return place === undefined
    ? { en: "is not JSON: it ends too early", de: "ist kein JSON: Es endet zu früh" }
    : {
        en: `is not JSON: look at character ${Number(place) + 1}`,
        de: `ist kein JSON: Der Fehler ist beim Zeichen ${Number(place) + 1}`,
      };
}
