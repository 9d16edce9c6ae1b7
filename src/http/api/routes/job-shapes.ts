import { z } from "zod";
import type { Job } from "../../../transfer/job.ts";

const PLACES_MAX = 500;

/** Places by the columns of a table. */
export const columnPlaces = z
  .record(z.string().min(1).max(200), z.string().min(1).max(60))
  .refine((columns) => Object.keys(columns).length <= PLACES_MAX, {
    error: `has more than ${PLACES_MAX} columns`,
  });

const shownTable = z.object({
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
  leftOut: z.array(
    z.object({ what: z.string(), count: z.int(), reason: z.string(), isContent: z.boolean() }),
  ),
});

export const shownJob = z
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
        lenient: z.boolean(),
        dryRun: z.boolean(),
        table: z
          .object({
            file: z.string(),
            type: z.string().nullable(),
            sheet: z.string().nullable(),
            columns: z.record(z.string(), z.string()),
          })
          .exactOptional(),
      })
      .nullable(),
    report: z
      .object({
        created: z.int(),
        updated: z.int(),
        unchanged: z.int(),
        failed: z.int(),
        problemsTotal: z.int(),
        problems: z.array(
          z.object({
            line: z.int(),
            field: z.string(),
            message: z.string(),
            severity: z.enum(["error", "warning"]),
          }),
        ),
        table: shownTable.exactOptional().meta({ description: "How a table was read" }),
        items: z
          .array(
            z.object({
              line: z.int(),
              outcome: z.enum(["created", "updated", "unchanged", "failed"]),
              title: z.string(),
              path: z.string().nullable(),
            }),
          )
          .exactOptional()
          .meta({ description: "Of a table: the first 1,000 items; not in lists of jobs" }),
      })
      .nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "Job" });

export type ShownJob = z.output<typeof shownJob>;

export function toReply({ choices, report, ...job }: Job): ShownJob {
  return { ...job, options: optionsOf(choices), report: reportOf(report) };
}

/** A job in a list, without what became of each item. */
export function toEntry(job: Job): ShownJob {
  const { report, ...reply } = toReply(job);
  if (report === null) return { ...reply, report };
  const { items: _items, table: _table, ...counts } = report;
  return { ...reply, report: counts };
}

function optionsOf(choices: Job["choices"]): ShownJob["options"] {
  if (choices === null) return null;
  const { status, isLenient: lenient, isDryRun: dryRun, table } = choices;
  return { status, lenient, dryRun, ...(table === undefined ? {} : { table }) };
}

function reportOf(report: Job["report"]): ShownJob["report"] {
  if (report === null) return null;
  const { problems, table, items, ...counts } = report;
  return {
    ...counts,
    problems: problems.map(({ file: _file, ...problem }) => problem),
    ...(table === undefined ? {} : { table: copyOf(table) }),
    ...(items === undefined ? {} : { items: items.map(({ file: _file, ...item }) => item) }),
  };
}

function copyOf(table: NonNullable<NonNullable<Job["report"]>["table"]>) {
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
