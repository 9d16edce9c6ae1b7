import type { FiledProblem } from "../content/import/import-items.ts";
import type { TableReading } from "../content/import/tables/reading/table-reading.ts";
import type { LeftOut } from "../content/import/wordpress/wordpress-plan.ts";
import type { ImportReport } from "./job.ts";

type Replace<Text, Entry, Key extends keyof Entry> = Omit<Entry, Key> & Record<Key, Text>;
export type ProblemOf<Text> = Replace<Text, FiledProblem, "message">;
export type LeftOutOf<Text> = Replace<Text, LeftOut, "what" | "reason">;
export type TableOf<Text> = Omit<TableReading, "form" | "notes" | "leftOut"> & {
  form: Text;
  notes: readonly Text[];
  leftOut: readonly LeftOutOf<Text>[];
};

interface ReportTexts<Text> {
  problems: readonly ProblemOf<Text>[];
  notes?: readonly Text[];
  leftOut?: readonly LeftOutOf<Text>[];
  table?: TableOf<Text>;
}

/** A report whose messages are in one language, or in all. */
export type ReportOf<Text> = Omit<ImportReport, keyof ReportTexts<Text>> & ReportTexts<Text>;

/** Maps the messages of a report. */
export function withTexts<From, To>(
  report: ReportOf<From>,
  text: (from: From) => To,
): ReportOf<To> {
  const { problems, notes, leftOut, table, ...facts } = report;
  return {
    ...facts,
    problems: problems.map((problem) => ({ ...problem, message: text(problem.message) })),
    ...(table === undefined
      ? {}
      : {
          table: tableWithTexts(table, text),
        }),
    ...(notes === undefined ? {} : { notes: notes.map(text) }),
    ...(leftOut === undefined ? {} : { leftOut: leftOutWithTexts(leftOut, text) }),
  };
}

/** Maps the messages about how a table was read. */
export function tableWithTexts<From, To>(
  table: TableOf<From>,
  text: (from: From) => To,
): TableOf<To> {
  const { form, notes, leftOut, ...facts } = table;
  return {
    ...facts,
    form: text(form),
    notes: notes.map(text),
    leftOut: leftOutWithTexts(leftOut, text),
  };
}

/** Maps the messages about what is left out. */
export function leftOutWithTexts<From, To>(
  leftOut: readonly LeftOutOf<From>[],
  text: (from: From) => To,
): LeftOutOf<To>[] {
  return leftOut.map(({ what, reason, ...facts }) => ({
    ...facts,
    what: text(what),
    reason: text(reason),
  }));
}
