import type { FileProblem } from "../content/import/import-items.ts";
import type { TableReadResult } from "../content/import/tables/reading/table-reading.ts";
import type { OmittedRecords } from "../content/import/wordpress/wordpress-plan.ts";
import type { ImportReport } from "./job.ts";

type WithText<Text, Entry, Key extends keyof Entry> = Omit<Entry, Key> & Record<Key, Text>;
export type ProblemWithTexts<Text> = WithText<Text, FileProblem, "message">;
export type OmittedRecordsWithTexts<Text> = WithText<Text, OmittedRecords, "what" | "reason">;
export type TableWithTexts<Text> = Omit<TableReadResult, "form" | "notes" | "leftOut"> & {
  form: Text;
  notes: readonly Text[];
  leftOut: readonly OmittedRecordsWithTexts<Text>[];
};

interface ReportTexts<Text> {
  problems: readonly ProblemWithTexts<Text>[];
  notes?: readonly Text[];
  leftOut?: readonly OmittedRecordsWithTexts<Text>[];
  table?: TableWithTexts<Text>;
}

/** A report whose messages have the type `Text`, such as a string in one language. */
export type ReportWithTexts<Text> = Omit<ImportReport, keyof ReportTexts<Text>> & ReportTexts<Text>;

/** Converts each message of a report. */
export function mapReportTexts<From, To>(
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
          table: mapTableTexts(table, text),
        }),
    ...(notes === undefined ? {} : { notes: notes.map(text) }),
    ...(leftOut === undefined ? {} : { leftOut: mapOmittedRecordTexts(leftOut, text) }),
  };
}

/** Converts each message about how a table was read. */
export function mapTableTexts<From, To>(
  table: TableWithTexts<From>,
  text: (from: From) => To,
): TableWithTexts<To> {
  const { form, notes, leftOut, ...others } = table;
  return {
    ...others,
    form: text(form),
    notes: notes.map(text),
    leftOut: mapOmittedRecordTexts(leftOut, text),
  };
}

/** Converts each message about what is left out. */
export function mapOmittedRecordTexts<From, To>(
  leftOut: readonly OmittedRecordsWithTexts<From>[],
  text: (from: From) => To,
): OmittedRecordsWithTexts<To>[] {
  return leftOut.map(({ what, reason, ...others }) => ({
    ...others,
    what: text(what),
    reason: text(reason),
  }));
}
