import type { FileProblem } from "../content/import/import-items.ts";
import type { TableReading } from "../content/import/tables/reading/table-reading.ts";
import type { LeftOut } from "../content/import/wordpress/wordpress-plan.ts";
import type { ImportReport } from "./job.ts";

type WithText<Text, Entry, Key extends keyof Entry> = Omit<Entry, Key> & Record<Key, Text>;
export type ProblemWithTexts<Text> = WithText<Text, FileProblem, "message">;
export type LeftOutWithTexts<Text> = WithText<Text, LeftOut, "what" | "reason">;
export type TableWithTexts<Text> = Omit<TableReading, "form" | "notes" | "leftOut"> & {
  form: Text;
  notes: readonly Text[];
  leftOut: readonly LeftOutWithTexts<Text>[];
};

interface ReportTexts<Text> {
  problems: readonly ProblemWithTexts<Text>[];
  notes?: readonly Text[];
  leftOut?: readonly LeftOutWithTexts<Text>[];
  table?: TableWithTexts<Text>;
}

/** A report whose messages have the type `Text`, such as a string in one language. */
export type ReportWithTexts<Text> = Omit<ImportReport, keyof ReportTexts<Text>> & ReportTexts<Text>;

/** Converts each message of a report. */
export function withTexts<From, To>(
  report: ReportWithTexts<From>,
  text: (from: From) => To,
): ReportWithTexts<To> {
  const { problems, notes, leftOut, table, ...others } = report;
  return {
    ...others,
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

/** Converts each message about how a table was read. */
export function tableWithTexts<From, To>(
  table: TableWithTexts<From>,
  text: (from: From) => To,
): TableWithTexts<To> {
  const { form, notes, leftOut, ...others } = table;
  return {
    ...others,
    form: text(form),
    notes: notes.map(text),
    leftOut: leftOutWithTexts(leftOut, text),
  };
}

/** Converts each message about what is left out. */
export function leftOutWithTexts<From, To>(
  leftOut: readonly LeftOutWithTexts<From>[],
  text: (from: From) => To,
): LeftOutWithTexts<To>[] {
  return leftOut.map(({ what, reason, ...others }) => ({
    ...others,
    what: text(what),
    reason: text(reason),
  }));
}
