import { parse, TomlDate, TomlError } from "smol-toml";

export type ParsedToml =
  | { values: Record<string, unknown>; lines: ReadonlyMap<string, number> }
  | { fault: string; line: number };

const DEPTH_MAX = 50;
/** Limit on the length of a text, because parsing a longer one takes over half a second. */
const CHARACTERS_MAX = 500_000;
const TOML_KEY = /^[ \t]*(?:\[{1,2}[ \t]*)?(?:([\w-]+)|"([^"\\\n]+)"|'([^'\n]+)')[ \t]*[=.\]]/;

/**
 * Parses TOML, as in front matter and settings of Hugo and Zola. Dates become text. `lines` has the
 * line numbers of top-level keys, as far as they are found.
 */
export function parseToml(source: string): ParsedToml {
  if (source.length > CHARACTERS_MAX) {
    return { fault: `it is longer than ${CHARACTERS_MAX} characters`, line: 1 };
  }
  try {
    const raw = parse(source, { maxDepth: DEPTH_MAX, integersAsBigInt: "asNeeded" });
    return { values: plainTable(raw, 0), lines: linesOfKeys(source) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    return { fault: message, line: error.line };
  }
}

function plainTable(table: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => [key, plainValue(value, depth + 1)]),
  );
}

function plainValue(value: unknown, depth: number): unknown {
  // The library limits the depth too, but does not count the levels that dotted keys create.
  if (depth > DEPTH_MAX) throw new TomlError("it nests too deep", { toml: "", ptr: 0 });
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((one) => plainValue(one, depth + 1));
  return typeof value === "object" && value !== null ? plainTable(value, depth) : value;
}

/** Finds the line numbers of top-level keys, which the library does not report. */
function linesOfKeys(source: string): Map<string, number> {
  const lines = new Map<string, number>();
  let isAtTop = true;
  for (const [at, line] of source.split("\n").entries()) {
    const isHeader = /^[ \t]*\[/.test(line);
    isAtTop &&= !isHeader;
    if (!isAtTop && !isHeader) continue;
    const found = TOML_KEY.exec(line);
    const key = found?.[1] ?? found?.[2] ?? found?.[3];
    if (key !== undefined && !lines.has(key)) lines.set(key, at + 1);
  }
  return lines;
}
