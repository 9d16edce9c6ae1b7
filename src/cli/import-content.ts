import { dirname } from "node:path";
import type { Actor } from "../access/actor.ts";
import type { RedirectOptions } from "../content/addresses/redirects.ts";
import type { FolderHabits } from "../content/import/habits/programs.ts";
import {
  type FiledProblem,
  type ImportCounts,
  type ImportOptions,
  importItems,
} from "../content/import/import-items.ts";
import type { OnUnknown } from "../content/import/parsed-item.ts";
import { parseSiteProfile, parseTypeFile } from "../content/import/site-file.ts";
import type { TableReading } from "../content/import/tables/reading/table-reading.ts";
import type { LeftOut } from "../content/import/wordpress/wordpress-plan.ts";
import type { ContentRecord } from "../content/record.ts";
import type { SiteProfile } from "../content/site/site.ts";
import { saveSite } from "../content/site/site-saving.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { AppError } from "../errors.ts";
import { type ImportFiles, readText } from "./import-files.ts";
import { habitsOfFolder } from "./import-habits.ts";
import { type FilePublisher, publishSiteMedia } from "./import-media.ts";
import { readItems } from "./import-reading.ts";
import { importRedirects, NO_REDIRECTS, type RedirectCounts } from "./import-redirects.ts";
import { readReferences } from "./import-references.ts";
import { openTables, type TableChoices } from "./import-table.ts";
import { openWordPress, type WordPressChoices, type WordPressImport } from "./import-wordpress.ts";

export interface ContentOptions {
  now: Date;
  unknown: OnUnknown;
  status?: "draft" | "published";
  /** Publishes files that texts link to; without it links stay unchanged. */
  publisher?: FilePublisher;
  /** What redirects are checked against; without it none are added. */
  addresses?: Pick<RedirectOptions, "origin" | "isDocument">;
  /** How exports of WordPress are read; without it they are not. */
  wordpress?: Pick<WordPressChoices, "as" | "uploads">;
  /** How tables and bibliographies are read; without it they are not. */
  tables?: TableChoices;
  events: ImportEvents;
}

/** What an import reports while it runs. */
export interface ImportEvents
  extends Pick<ImportOptions, "onProblem" | "onSkipped" | "onLeftOut" | "onDraft"> {
  /** Called for each redirect that is not needed here, with the reason. */
  onUnusedRedirect?: (place: string, reason: string) => void;
  /** Called for each folder that was written for another program. */
  onHabits?: (source: ImportFiles, habits: FolderHabits) => void;
  /** Called once for the exports of another program, with what is not taken in. */
  onExportsLeftOut?: (leftOut: readonly LeftOut[]) => void;
  /** Called for each table before its rows are saved. */
  onTable?: (table: TableReading) => void;
  onNote?: (message: string) => void;
  onProgress?: (done: { items: number; bytes: number }) => void;
}

export interface Imported extends ImportCounts {
  redirects: RedirectCounts;
}

const OPERATOR: Actor = { kind: "operator" };

/**
 * Imports the site profile and types of site folders, then all items, then all redirects.
 *
 * @throws {AppError} `invalid` for an invalid `site.yaml` or type; nothing is imported then.
 */
export async function importContent(
  record: ContentRecord,
  sources: readonly ImportFiles[],
  options: ContentOptions,
): Promise<Imported> {
  const { now, unknown, status, publisher, addresses, events } = options;
  const { onProblem } = events;
  for (const source of sources) {
    if (source.siteFile === null) continue;
    const { profile, types } = readSite(source.siteFile, source.typeFiles, onProblem);
    await saveSite(record, OPERATOR, profile, types, now);
    if (publisher !== undefined)
      await publishSiteMedia(dirname(source.siteFile), publisher, onProblem);
  }
  const { language = "en", timeZone } = (await record.site()) ?? {};
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  const wordpress = await wordPressIn(record, sources, { ...options, onBytes });
  const items = readItems(sources, {
    types: await record.types(),
    ...{ unknown, now },
    timeZone: timeZone ?? "UTC",
    ...(publisher === undefined ? {} : { publisher }),
    habitsOf(source) {
      const habits = habitsOfFolder(source, language);
      if (habits !== null) events.onHabits?.(source, habits);
      return habits;
    },
    onBytes,
  });
  await using tables = await tablesIn(record, sources, { ...options, onBytes });
  const leads: { file: string; line: number; from: string; to: string }[] = [];
  const counts = await importItems(
    record,
    OPERATOR,
    inTurn(items, wordpress?.items(), tables?.items(), referencesIn(record, sources, options)),
    {
      ...events,
      now,
      ...(status === undefined ? {} : { status }),
      onLead: (file, lead) => leads.push({ file, line: 1, ...lead }),
      onProgress: (read) => events.onProgress?.({ items: read, bytes }),
    },
  );
  const end = await wordpress?.end();
  if (end !== undefined) events.onExportsLeftOut?.(end.leftOut);
  const [exported = ""] = sources.flatMap((source) => source.exports);
  leads.push(...(end?.leads ?? []).map((lead) => ({ file: exported, line: 1, ...lead })));
  const lists = sources.flatMap(({ redirectLists }) => redirectLists);
  const redirects =
    addresses === undefined
      ? NO_REDIRECTS
      : await importRedirects(record, OPERATOR, { leads, lists }, { ...events, ...addresses, now });
  const created = redirects.created + (end?.leadsToNewFiles ?? 0);
  return { ...counts, redirects: { ...redirects, created } };
}

async function wordPressIn(
  record: ContentRecord,
  sources: readonly ImportFiles[],
  options: ContentOptions & { onBytes: (bytes: number) => void },
): Promise<WordPressImport | undefined> {
  const { now, status, publisher, wordpress, events, onBytes } = options;
  const exports = sources.flatMap((source) => source.exports);
  if (exports.length === 0 || wordpress === undefined || publisher === undefined) return undefined;
  return await openWordPress(record, OPERATOR, exports, {
    ...{ ...wordpress, now, publisher, onBytes, asDrafts: status === "draft" },
    onNote: (message) => events.onNote?.(message),
  });
}

async function tablesIn(
  record: ContentRecord,
  sources: readonly ImportFiles[],
  { now, status, tables, events, onBytes }: ContentOptions & { onBytes: (bytes: number) => void },
) {
  const files = sources.flatMap(({ tables: paths, bytes }) =>
    paths.map((path) => ({ path, bytes })),
  );
  if (files.length === 0 || tables === undefined) return undefined;
  return await openTables(record, OPERATOR, files, {
    ...tables,
    now,
    onBytes,
    isPublished: status === "published",
    onTable(table) {
      events.onTable?.(table);
      events.onExportsLeftOut?.(table.leftOut);
    },
  });
}

function referencesIn(
  record: ContentRecord,
  sources: readonly ImportFiles[],
  { now, status, tables, addresses, events }: ContentOptions,
) {
  const files = sources.flatMap((source) => source.references);
  if (files.length === 0 || tables === undefined) return undefined;
  return readReferences(record, files, {
    ...{ now, desk: tables.desk, origin: addresses?.origin ?? "" },
    ...(tables.type === undefined ? {} : { type: tables.type }),
    isPublished: status === "published",
    onNote: (message) => events.onNote?.(message),
  });
}

async function* inTurn<Entry>(
  ...sources: readonly (AsyncIterable<Entry> | undefined)[]
): AsyncGenerator<Entry> {
  for (const source of sources) if (source !== undefined) yield* source;
}

function readSite(
  siteFile: string,
  typeFiles: readonly string[],
  onProblem: ImportEvents["onProblem"],
): { profile: SiteProfile; types: ContentType[] } {
  const profile = readPart(siteFile, parseSiteProfile, onProblem);
  const types = typeFiles.map((file) => readPart(file, parseTypeFile, onProblem));
  const read = types.filter((type) => type !== null);
  if (profile !== null && read.length === types.length) return { profile, types: read };
  throw new AppError("invalid", "Nothing was imported: correct the description of the site first");
}

function readPart<T>(
  file: string,
  parse: (text: string) => { value: T | null; problems: readonly Omit<FiledProblem, "file">[] },
  onProblem: ImportEvents["onProblem"],
): T | null {
  const read = readText(file);
  if ("fault" in read) {
    onProblem({ file, line: 1, field: "", message: read.fault, severity: "error" });
    return null;
  }
  const { value, problems } = parse(read.text);
  for (const problem of problems) onProblem({ ...problem, file });
  return value;
}
