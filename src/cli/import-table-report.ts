import type { TableWithTexts } from "../transfer/report-texts.ts";

/** Describes how a table was read, in lines for people. */
export function formatTableReportLines(table: TableWithTexts<string>): string[] {
  const { file, form, type, rows, headings, columns, knownBy, notes, isKnown, name, names } = table;
  const headingText =
    headings === 0
      ? "no heading"
      : `${headings} ${headings === 1 ? "heading row" : "heading rows"}`;
  const width = Math.max(...columns.map(({ column }) => column.length));
  const source = isKnown
    ? `as saved under "${name}"`
    : "guessed; correct it with --map, --type or --mapping";
  return [
    `${file}: ${form}, ${rows} ${rows === 1 ? "row" : "rows"} as ${type}, ${headingText}; columns ${source}`,
    ...columns.map(({ column, place, example }) => {
      const target =
        place === "-"
          ? "left out, as you said"
          : (place ?? (example === "" ? "empty" : "left out"));
      return `  ${column.padEnd(width)}  →  ${target}${example === "" ? "" : `  (${example})`}`;
    }),
    `  Rows are known again by ${knownBy.length > 3 ? "all of their cells" : knownBy.map((each) => `"${each}"`).join(" and ")}`,
    ...(names === 0
      ? []
      : [`  Besides the rows, ${names} new items that they name, as authors and topics`]),
    ...notes.map((note) => `  ${note}`),
  ];
}
