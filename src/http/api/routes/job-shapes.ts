import { z } from "zod";
import type { ItemOutcome } from "../../../content/import/import-items.ts";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import type { FileReadChoices, Job } from "../../../transfer/job.ts";
import { mapReportTexts, type ReportWithTexts } from "../../../transfer/report-texts.ts";

const COLUMNS_MAX = 500;

/** Maps the name of each column of a table to the part of an item that the column fills. */
export const columnTargetsSchema = z
  .record(z.string().min(1).max(200), z.string().min(1).max(60))
  .refine((columns) => Object.keys(columns).length <= COLUMNS_MAX, {
    error: `has more than ${COLUMNS_MAX} columns`,
  });

const columnsJson = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("is not JSON");
      return z.NEVER;
    }
  })
  .pipe(columnTargetsSchema);

/**
 * @throws {AppError} `invalid` if the text is not a JSON object that maps columns to parts of an
 * item.
 */
export function parseColumnTargets(text: string): Readonly<Record<string, string>> {
  const parsed = columnsJson.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = 'columns: must be a JSON object of places by column, {"Wer": "authors"}';
  throw new AppError("invalid", englishOnlyWording(message));
}

const leftOut = z.object({
  what: z.string(),
  count: z.int(),
  reason: z.string(),
  isContent: z.boolean().meta({ description: "Whether a reader of the former site may miss it" }),
});

const tableResponseSchema = z.object({
  file: z.string(),
  name: z.string().meta({ description: "Under which its mapping is saved with the site" }),
  type: z.string(),
  form: z.string(),
  sheet: z.string().nullable(),
  sheets: z.array(z.string()),
  headings: z.int(),
  isKnown: z.boolean().meta({ description: "Whether the mapping was saved by an earlier import" }),
  columns: z.array(
    z.object({
      column: z.string(),
      place: z.string().nullable().meta({ description: "Null: nothing fits; -: left out" }),
      example: z.string(),
    }),
  ),
  rows: z.int(),
  names: z.int().meta({ description: "New items that rows name, such as authors and topics" }),
  knownBy: z.array(z.string()),
  notes: z.array(z.string()),
  leftOut: z.array(leftOut),
});

export const jobResponseSchema = z
  .object({
    id: z.string(),
    kind: z.enum(["import", "export"]),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    createdAt: z.string(),
    createdBy: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    progress: z.object({ done: z.int(), total: z.int() }),
    options: z
      .object({
        status: z.enum(["draft", "published"]).nullable(),
        prefer: z.enum(["file", "site"]).nullable(),
        lenient: z.boolean(),
        dryRun: z.boolean(),
        address: z.string().exactOptional().meta({ description: "Of a live site, copied first" }),
        wordpress: z.boolean().exactOptional(),
        file: z
          .object({
            name: z.string(),
            isSeveral: z.boolean().exactOptional().meta({
              description: "Whether it is a ZIP of files that were sent together",
            }),
            type: z.string().nullable(),
            sheet: z.string().nullable(),
            columns: z.record(z.string(), z.string()),
            as: z.array(z.string()).exactOptional(),
            generator: z.string().exactOptional(),
          })
          .exactOptional(),
      })
      .nullable(),
    report: z
      .object({
        created: z.int(),
        updated: z.int(),
        unchanged: z.int(),
        conflicts: z.int().meta({
          description: "Items that were changed on the site and in the file; they stay as they are",
        }),
        failed: z.int(),
        problemsTotal: z.int(),
        problems: z.array(
          z.object({
            file: z.string().exactOptional().meta({ description: "Not of JSON lines and tables" }),
            line: z.int(),
            field: z.string(),
            message: z.string(),
            severity: z.enum(["error", "warning"]),
          }),
        ),
        table: tableResponseSchema.exactOptional().meta({ description: "How a table was read" }),
        items: z
          .array(
            z.object({
              file: z.string().exactOptional(),
              line: z.int(),
              outcome: z.enum(["created", "updated", "unchanged", "conflict", "failed"]),
              title: z.string(),
              path: z.string().nullable(),
              type: z.string().exactOptional(),
              changed: z
                .array(z.string())
                .exactOptional()
                .meta({ description: "Of an updated item: what differs, as title or fields.year" }),
              kept: z.array(z.string()).exactOptional().meta({
                description: "What was edited on the site since its last import, and stays",
              }),
            }),
          )
          .exactOptional()
          .meta({ description: "The first 1,000 items; not in lists of jobs" }),
        notes: z
          .array(z.string())
          .exactOptional()
          .meta({ description: "What the import did or assumed" }),
        leftOut: z
          .array(leftOut)
          .exactOptional()
          .meta({ description: "What the file holds and is not taken in" }),
        redirects: z
          .object({ created: z.int(), unchanged: z.int(), skipped: z.int(), failed: z.int() })
          .exactOptional(),
        copied: z
          .object({ pages: z.int(), files: z.int() })
          .exactOptional()
          .meta({ description: "What was copied from a live site so far" }),
        drafts: z
          .int()
          .exactOptional()
          .meta({ description: "Number of new items that are not public yet" }),
        files: z
          .int()
          .exactOptional()
          .meta({ description: "Number of pictures and other files taken in" }),
      })
      .nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "Job" });

export type JobResponse = z.output<typeof jobResponseSchema>;

export function toJobResponse({ choices, report, error, ...job }: Job): JobResponse {
  const english = report === null ? null : mapReportTexts(report, ({ en }) => en);
  return {
    ...job,
    options: optionsOf(choices),
    report: reportOf(english),
    error: error?.en ?? null,
  };
}

/** A job in a list, without the outcomes of its items. */
export function jobToListEntry(job: Job): JobResponse {
  const { report, ...response } = toJobResponse(job);
  if (report === null) return { ...response, report };
  const { items: _items, table: _table, notes: _notes, leftOut: _leftOut, ...counts } = report;
  return { ...response, report: counts };
}

function optionsOf(choices: Job["choices"]): JobResponse["options"] {
  if (choices === null) return null;
  const { status, prefer = null, isLenient: lenient, isDryRun: dryRun } = choices;
  const { address, isWordPress: wordpress, file } = choices;
  return {
    ...{ status, prefer, lenient, dryRun },
    ...(address === undefined ? {} : { address }),
    ...(wordpress === undefined ? {} : { wordpress }),
    ...(file === undefined ? {} : { file: shownFile(file) }),
  };
}

type ShownFile = NonNullable<NonNullable<JobResponse["options"]>["file"]>;

function shownFile({ as, ...file }: FileReadChoices): ShownFile {
  return { ...file, columns: { ...file.columns }, ...(as === undefined ? {} : { as: [...as] }) };
}

function reportOf(report: ReportWithTexts<string> | null): JobResponse["report"] {
  if (report === null) return null;
  const { problems, table, items, notes, leftOut: leftOutContent, ...counts } = report;
  return {
    ...counts,
    problems: problems.map((problem) => withFileIfSeveral(problem, report)),
    ...(table === undefined ? {} : { table: copyTable(table) }),
    ...(items === undefined ? {} : { items: items.map((item) => shownOutcome(item, report)) }),
    ...(notes === undefined ? {} : { notes: [...notes] }),
    ...(leftOutContent === undefined ? {} : { leftOut: [...leftOutContent] }),
  };
}

function shownOutcome({ changed, kept, ...outcome }: ItemOutcome, report: ReportWithTexts<string>) {
  return {
    ...withFileIfSeveral(outcome, report),
    ...(changed === undefined ? {} : { changed: [...changed] }),
    ...(kept === undefined ? {} : { kept: [...kept] }),
  };
}

/** Removes the file name from an entry if the report has only one file. */
function withFileIfSeveral<Entry extends { file: string }>(
  { file, ...entry }: Entry,
  { table }: ReportWithTexts<string>,
): Omit<Entry, "file"> & { file?: string } {
  return file === "" || table !== undefined ? entry : { file, ...entry };
}

function copyTable(table: NonNullable<ReportWithTexts<string>["table"]>) {
  const { sheets, columns, knownBy, notes, leftOut, ...facts } = table;
  return {
    ...facts,
    sheets: [...sheets],
    columns: [...columns],
    knownBy: [...knownBy],
    notes: [...notes],
    leftOut: [...leftOut],
  };
}
