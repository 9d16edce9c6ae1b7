import type { Actor } from "../../../../access/actor.ts";
import { AppError } from "../../../../errors.ts";
import { slugOf } from "../../../addresses/paths.ts";
import type { ContentRecord } from "../../../record.ts";
import { saveTableMapping } from "../../../site/import-choices/table-mapping-saving.ts";
import type { TableMapping } from "../../../site/import-choices/table-mappings.ts";
import { readSiteTimeZone } from "../../../site/time-zone.ts";
import type { ContentType } from "../../../types/content-type.ts";
import type { ItemNameLookup, ItemsByName } from "../../item-names.ts";
import type { ParsedItem } from "../../parsed-item.ts";
import { createItemsForNames } from "../named-items.ts";
import { createRowNameIndex } from "../row-names.ts";
import type { TableRow } from "../table.ts";
import { findTableHeader } from "../table-header.ts";
import { convertRowsToItems } from "../table-items.ts";
import { requireUsableMapping } from "../table-mapping.ts";
import { surveyTable, type TableSurvey } from "../table-survey.ts";
import { chooseMapping, findSavedMapping, type MappingChoices } from "./choose-mapping.ts";
import { findNameDraftsToPublish } from "./drafts-of-names.ts";
import { findItemsNamedInRows } from "./names-in-rows.ts";
import { buildTablePreview, type TablePreview, type TableReadResult } from "./table-reading.ts";
import { type OpenTable, openTable, type TableSource } from "./table-source.ts";

export interface TableImportOptions extends MappingChoices {
  /** Sheet of a workbook; absent: the first visible one. */
  sheet?: string;
  names: ItemNameLookup;
  now: Date;
  /** Whether the import publishes all rows. */
  publishesAll: boolean;
  /** Called before the mapping is checked. */
  onPreview?: (preview: TablePreview) => void;
  onTable: (table: TableReadResult) => void;
  /** Called with the share of rows read so far, from 0 to 1. */
  onRead?: (share: number) => void;
  /** Returns only the rows that the import is allowed to read. Called each time the table is read. */
  limited?: (rows: AsyncIterable<TableRow>) => AsyncIterable<TableRow>;
}

/** A table that is ready to be imported. */
export interface TableImport extends AsyncDisposable {
  items(): AsyncGenerator<ParsedItem>;
}

const SAMPLE_ROWS = 1000;
const SAMPLE_CHARACTERS = 8 * 1024 * 1024;

/**
 * Opens a table for import: maps its columns, and saves the mapping with the site.
 *
 * @throws {AppError} `invalid` for a damaged table, or a mapping that does not fit.
 */
export async function openTableImport(
  record: ContentRecord,
  actor: Actor,
  source: TableSource,
  options: TableImportOptions,
): Promise<TableImport> {
  await using opened = new AsyncDisposableStack();
  const table = opened.use(await openTable(source, options.sheet));
  const items = await itemsIn(table, { record, actor, file: source.file }, options);
  const owned = opened.move();
  return { items, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function itemsIn(
  table: OpenTable,
  { record, actor, file }: { record: ContentRecord; actor: Actor; file: string },
  options: TableImportOptions,
): Promise<() => AsyncGenerator<ParsedItem>> {
  const { limited = (rows) => rows, now } = options;
  const { hasAllCells } = table;
  const types = await record.types();
  const profile = await record.site();
  if (profile === null)
    throw new AppError("conflict", {
      en: "Make a site first: commonplace init",
      de: "Es gibt noch keine Website: Richten Sie zuerst eine ein",
    });
  const sample = await firstRows(limited(table.rows()));
  if (sample.length === 0)
    throw new AppError("invalid", { en: `${file} has no rows`, de: `${file} hat keine Zeilen` });
  const heading = findTableHeader(sample, types);
  const fileName = withoutEnding(file);
  const ownName = sourceNameOfFile(file);
  const saved = findSavedMapping(profile.tables ?? {}, ownName, heading.columns);
  const name = saved?.name ?? ownName;
  const rows = sample.filter(({ line }) => !heading.lines.has(line));
  const choice = { heading, types, fileName, saved: saved?.mapping };
  const mapping = chooseMapping(rows, choice, options);
  const preview = buildTablePreview(table, rows, {
    file,
    name,
    heading,
    mapping,
    isKnown: saved !== null,
  });
  options.onPreview?.(preview);
  const type = requireUsableMapping(mapping, types, heading.columns);
  const namedRows = createRowNameIndex(type, mapping, heading);
  const survey = await surveyTable(passedTo(namedRows.see, limited(table.rows())), heading, {
    ...{ mapping, type, language: profile.language, hasAllCells },
  });
  const completed: TableMapping = { ...mapping, knownBy: [...survey.knownBy] };
  await saveTableMapping(record, actor, { name, mapping: completed }, now);
  const targets = survey.columns.flatMap(({ place }) =>
    place.part === "relation" ? [place.relation.target] : [],
  );
  const known = await options.names.of([type.name, ...targets]);
  const find: ItemsByName["find"] = (target, name) =>
    known.find(target, name) ?? (target === type.name ? namedRows.find(name) : null);
  const parseOptions = { types, now, timeZone: await readSiteTimeZone(record), file };
  const read = (rows: AsyncIterable<TableRow>) =>
    convertRowsToItems(rows, {
      ...{ ...parseOptions, name, type, heading, survey, find, hasAllCells },
      keysOfNames: new Set(known.tableSourceKeys),
    });
  const namedItems = await findItemsNamedInRows(read(limited(table.rows())), { ...survey, type });
  const names = [...createItemsForNames(namedItems, { ...parseOptions, find })];
  options.onTable({ ...tableReadingOf(preview, { table, survey, type }), names: names.length });
  return async function* () {
    yield* names;
    if (options.publishesAll) yield* findNameDraftsToPublish(record, namedItems, file, types);
    const rowsWithProgress = withProgress(limited(table.rows()), survey.rows, options);
    for await (const { item } of read(rowsWithProgress)) yield item;
  };
}

async function* passedTo(
  see: (row: TableRow) => void,
  rows: AsyncIterable<TableRow>,
): AsyncGenerator<TableRow> {
  for await (const row of rows) {
    see(row);
    yield row;
  }
}

/** A name derived from the file name. It identifies the content in repeated imports. */
export function sourceNameOfFile(file: string): string {
  return slugOf(withoutEnding(file)).slice(0, 100) || "table";
}

/** The name of a file without folders and extension. */
function withoutEnding(file: string): string {
  const name = file.split(/[/\\]/).at(-1) ?? "";
  return name.replace(/(?<=.)\.[^.]*$/, "");
}

async function firstRows(rows: AsyncIterable<TableRow>): Promise<TableRow[]> {
  const first: TableRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    first.push(row);
    characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (first.length >= SAMPLE_ROWS || characters >= SAMPLE_CHARACTERS) break;
  }
  return first;
}

async function* withProgress(
  rows: AsyncIterable<TableRow>,
  total: number,
  { onRead }: TableImportOptions,
): AsyncGenerator<TableRow> {
  let read = 0;
  for await (const row of rows) {
    read += 1;
    onRead?.(Math.min(1, read / Math.max(total, 1)));
    yield row;
  }
}

function tableReadingOf(
  preview: TablePreview,
  { table, survey, type }: { table: OpenTable; survey: TableSurvey; type: ContentType },
): Omit<TableReadResult, "names"> {
  const unmapped = survey.unmapped.map(({ name: column, cells }) => ({
    what: {
      en: `${cells === 1 ? "cell" : "cells"} of the column "${column}"`,
      de: `${cells === 1 ? "Zelle" : "Zellen"} der Spalte „${column}“`,
    },
    count: cells,
    reason: {
      en: `${type.plural} have nothing of this name: say what the column means, or leave it out on purpose (on the command line "${column}=summary" or "${column}=-")`,
      de: "solche Inhalte haben nichts, das so heißt: Wählen Sie, was die Spalte bedeutet, oder lassen Sie sie mit Absicht weg",
    },
    isContent: true,
  }));

  return {
    ...preview,
    rows: survey.rows,
    knownBy: survey.knownBy,
    notes: survey.notes,
    leftOut: [...unmapped, ...table.leftOut],
  };
}
