import { createReadStream } from "node:fs";
import { basename, extname } from "node:path";
import type { Actor } from "../access/actor.ts";
import { slugOf } from "../content/addresses/paths.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import { openDelimited } from "../content/import/tables/delimited.ts";
import { type Heading, headingOf } from "../content/import/tables/heading.ts";
import { itemsOfNames } from "../content/import/tables/named-items.ts";
import type { Table, TableRow } from "../content/import/tables/table.ts";
import { tableItems } from "../content/import/tables/table-items.ts";
import { requireUsable } from "../content/import/tables/table-mapping.ts";
import { type Survey, surveyTable } from "../content/import/tables/table-survey.ts";
import { openWorkbook } from "../content/import/tables/workbook.ts";
import type { LeftOut } from "../content/import/wordpress/wordpress-plan.ts";
import type { ContentRecord } from "../content/record.ts";
import { declaredIn, saveSite } from "../content/site/site-saving.ts";
import type { TableMapping } from "../content/site/table-mappings.ts";
import { siteTimeZone } from "../content/site/time-zone.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { AppError } from "../errors.ts";
import { type MappingChoices, mappingFor, savedMapping } from "./import-table-mapping.ts";
import { draftsOfNames, knownNames, rowNames } from "./import-table-names.ts";

export interface TableChoices extends MappingChoices {
  /** Of a workbook; without it, the first. */
  sheet?: string;
  desk: Pick<ContentDesk, "list">;
}

/** How a table is read. */
export interface TableReading {
  file: string;
  /** The name under which its mapping is saved. */
  name: string;
  type: string;
  form: string;
  rows: number;
  /** Number of new authors, works, topics and the like that rows name. */
  names: number;
  /** Lines that name the columns, or stand before that. */
  headings: number;
  /** Whether the mapping was saved by an earlier import. */
  isKnown: boolean;
  columns: readonly { column: string; place: string | null; example: string }[];
  knownBy: readonly string[];
  notes: readonly string[];
  leftOut: readonly LeftOut[];
}

export function tableChoices(flags: {
  map?: string[];
  mapping?: string;
  type?: string;
  sheet?: string;
}): Omit<TableChoices, "desk"> {
  const { map = [], mapping, type, sheet } = flags;
  return {
    map,
    ...(mapping === undefined ? {} : { mappingFile: mapping }),
    ...(type === undefined ? {} : { type }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

interface Options extends TableChoices {
  now: Date;
  /** Whether everything is published. */
  isPublished: boolean;
  onTable: (table: TableReading) => void;
}

/** Tables, ready to be imported. */
export interface TableImport {
  items(): AsyncGenerator<ParsedItem>;
  close(): Promise<void>;
}

/**
 * Reads each table once to find what its columns are, and saves that with the site.
 *
 * @throws {AppError} `invalid` for a damaged table, or a mapping that does not fit.
 */
export async function openTables(
  record: ContentRecord,
  actor: Actor,
  files: readonly string[],
  options: Options,
): Promise<TableImport> {
  await using opened = new AsyncDisposableStack();
  const ready: (() => AsyncGenerator<ParsedItem>)[] = [];
  for (const file of files) {
    const table = isWorkbook(file)
      ? opened.use(await openWorkbook(file, options.sheet))
      : await openDelimited(() => createReadStream(file));
    ready.push(await openTable(table, { record, actor, file }, options));
  }
  const owned = opened.move();
  return {
    async *items() {
      for (const items of ready) yield* items();
    },
    close: () => owned.disposeAsync(),
  };
}

function isWorkbook(file: string): boolean {
  return /^\.xls/i.test(extname(file));
}

const SAMPLE_ROWS = 1000;

async function openTable(
  table: Table,
  { record, actor, file }: { record: ContentRecord; actor: Actor; file: string },
  options: Options,
): Promise<() => AsyncGenerator<ParsedItem>> {
  const types = await record.types();
  const profile = await record.site();
  if (profile === null) throw new AppError("conflict", "Make a site first: commonplace init");
  const sample = await firstRows(table.rows());
  if (sample.length === 0) throw new AppError("invalid", `${file} has no rows`);
  const heading = headingOf(sample, types);
  const saved = savedMapping(profile.tables ?? {}, sourceNameOf(file), heading.columns);
  const name = saved?.name ?? sourceNameOf(file);
  const rows = sample.filter(({ line }) => !heading.lines.has(line));
  const mapping = mappingFor(rows, { heading, types, file, saved: saved?.mapping }, options);
  const type = requireUsable(mapping, types, heading.columns);
  const survey = await surveyTable(table.rows(), heading, {
    ...{ mapping, type, language: profile.language, hasAllCells: !isWorkbook(file) },
  });
  const kept: TableMapping = { ...mapping, knownBy: [...survey.knownBy] };
  const all = { ...profile, tables: { ...profile.tables, [name]: kept } };
  await saveSite(record, actor, all, declaredIn(types), options.now);
  const known = await knownNames(options.desk, [...new Set([type.name, ...survey.named.keys()])]);
  const { pathOf } = known;
  const own = { types, now: options.now, timeZone: await siteTimeZone(record), file };
  const names = [...itemsOfNames(survey, { ...own, pathOf }, rowNames(type, survey, rows))];
  const facts = { file, name, type, heading, survey, rows, isKnown: saved !== null };
  options.onTable({ ...readingOf(table, facts, mapping), names: names.length });
  return async function* () {
    yield* names;
    if (options.isPublished) yield* draftsOfNames(record, survey, file, types);
    yield* tableItems(table.rows(), {
      ...{ ...own, name, type, heading, survey, pathOf, hasAllCells: !isWorkbook(file) },
      keysOfNames: new Set(known.keys),
    });
  };
}

/** The name under which what a file holds is known when it comes again. */
export function sourceNameOf(file: string): string {
  return slugOf(basename(file, extname(file))).slice(0, 100) || "table";
}

async function firstRows(rows: AsyncIterable<TableRow>): Promise<TableRow[]> {
  const first: TableRow[] = [];
  for await (const row of rows) {
    first.push(row);
    if (first.length >= SAMPLE_ROWS) break;
  }
  return first;
}

interface Facts {
  file: string;
  name: string;
  type: ContentType;
  heading: Heading;
  survey: Survey;
  rows: readonly TableRow[];
  isKnown: boolean;
}

const EXAMPLE_CHARACTERS_MAX = 50;

function readingOf(
  table: Table,
  { file, name, type, heading, survey, rows, isKnown }: Facts,
  mapping: TableMapping,
): Omit<TableReading, "names"> {
  const columns = heading.columns.map((column, at) => {
    const value =
      rows.map(({ cells }) => (cells[at] ?? "").trim()).find((cell) => cell !== "") ?? "";
    const line = value.replace(/\s+/g, " ");
    const isLong = line.length > EXAMPLE_CHARACTERS_MAX;
    const example = isLong ? `${line.slice(0, EXAMPLE_CHARACTERS_MAX - 1)}…` : line;
    return { column, place: mapping.columns[column] ?? null, example };
  });
  const unmapped = survey.unmapped.map(({ name: column, cells }) => ({
    what: `cells of the column "${column}"`,
    count: cells,
    reason: `nothing of ${type.plural} is called so: say what it is, as --map "${column}=summary", or that it is not wanted, --map "${column}=-"`,
    isContent: true,
  }));
  const ofFile = table.leftOut.map((each) => ({
    ...each,
    isContent: each.what.startsWith("other"),
  }));
  return {
    ...{ file, name, type: type.name, form: table.form, rows: survey.rows, isKnown, columns },
    headings: heading.lines.size,
    knownBy: survey.knownBy,
    notes: survey.notes,
    leftOut: [...unmapped, ...ofFile],
  };
}
