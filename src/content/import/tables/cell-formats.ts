import { type OfficeParts, readWholePart } from "./office-parts.ts";

/** Built-in formats of dates and times (ECMA-376, 18.8.30), including those of East Asia. */
const DATE_FORMATS: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Limit on a format code; longer codes are truncated. Spreadsheets allow only 255 characters. */
const CODE_CHARACTERS_MAX = 1000;

/** The indexes of cell styles that show a date. */
export async function readDateStyleIndexes(
  parts: OfficeParts,
  name: string,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (!parts.names.includes(name)) return found;
  const customFormats = new Set<number>();
  let isInCells = false;
  let style = 0;
  await readWholePart(parts, name, {
    onOpen(element, attributes) {
      if (element === "numFmt" && showsDate(attributes["formatCode"] ?? "")) {
        customFormats.add(Number(attributes["numFmtId"]));
      }
      if (element === "cellXfs") isInCells = true;
      if (element !== "xf" || !isInCells) return;
      const format = Number(attributes["numFmtId"] ?? 0);
      const isBuiltIn = DATE_FORMATS.some(([from, to]) => format >= from && format <= to);
      if (isBuiltIn || customFormats.has(format)) found.add(style);
      style += 1;
    },
    onClose(element) {
      if (element === "cellXfs") isInCells = false;
    },
  });
  return found;
}

/** Whether a format code shows a part of a date, ignoring quotes, colours and escapes. */
function showsDate(code: string): boolean {
  const start = code.slice(0, CODE_CHARACTERS_MAX);
  const bare = start.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]/gi, "");
  return /[dmyhs]/i.test(bare) && !/^general$/i.test(bare.trim());
}
