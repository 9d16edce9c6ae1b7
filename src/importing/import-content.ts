import type { Actor } from "../access/actor.ts";
import type { RedirectChangeContext } from "../content/addresses/redirect-change-context.ts";
import type { PreferredSide } from "../content/editing/imported/saving-imports.ts";
import type { ImportEventHandlers, ImportTotals } from "../content/import/import-events.ts";
import { type ImportCounts, importItems } from "../content/import/import-items.ts";
import type { ItemNameLookup } from "../content/import/item-names.ts";
import type { UndeclaredKeyPolicy } from "../content/import/parsed-item.ts";
import { concatSources } from "../content/import/streams/concat-sources.ts";
import type { ContentRecord } from "../content/record.ts";
import type { GeneratorChoice } from "../content/site/import-choices/generator-choices.ts";
import { readWorksByTitle } from "./existing-works.ts";
import { detectFolderConventions } from "./folder-conventions.ts";
import {
  conventionsWithPlannedPostType,
  planPostType,
  preparePostType,
  typesWithPlannedPostType,
} from "./folders/declare-posts.ts";
import { importSiteSettings } from "./folders/import-site.ts";
import { indexItemNames } from "./folders/indexing-names.ts";
import { addEditionsOfTranslations } from "./folders/site-editions.ts";
import { findPlaceholderPages, withdrawAboutPlaceholder } from "./folders/starter-pages.ts";
import {
  type ItemReadingOptions,
  type SurveyedSource,
  surveySources,
} from "./folders/survey-items.ts";
import { type ImportFiles, isSiteExport } from "./import-files.ts";
import { importMenus } from "./menus/site-menus.ts";
import { openTableFiles, type TableAndBibliographyOptions } from "./open-tables.ts";
import type { ListingFilePublisher } from "./publish-files.ts";
import { readItems } from "./read-items.ts";
import { readBibliographies } from "./read-references.ts";
import {
  planFormerFileRedirects,
  planRedirectsFromFormerLists,
} from "./redirects/file-redirects.ts";
import {
  importRedirects,
  NO_REDIRECT_COUNTS,
  type RedirectFromFile,
} from "./redirects/import-redirects.ts";
import { planTermPageRedirects, withFormerTermPages } from "./term-items.ts";
import {
  openWordPressExports,
  type WordPressChoices,
  type WordPressImport,
} from "./wordpress/open-wordpress.ts";

export interface ContentImportOptions {
  now: Date;
  unknown: UndeclaredKeyPolicy;
  status?: "draft" | "published";
  /** Which side wins if an item was changed both on the site and in the file. */
  prefer?: PreferredSide | undefined;
  /** Called before each transaction; returns the maximum number of items to save in it. */
  batchItemsMax?: (() => number) | undefined;
  /** Publishes files that texts link to; absent: links stay unchanged. */
  publisher?: ListingFilePublisher;
  /** Used to validate redirects; absent: no redirects are added. */
  addresses?: Pick<RedirectChangeContext, "origin" | "isDocument">;
  /** Options for WordPress exports; absent: WordPress exports are not read. */
  wordpress?: Pick<WordPressChoices, "as" | "uploads">;
  /** The site generator of folders; absent: it is detected. */
  generator?: GeneratorChoice;
  /** Options for tables and bibliographies; absent: tables and bibliographies are not read. */
  tables?: TableAndBibliographyOptions;
  events: ImportEventHandlers;
  /** Aborts the import. */
  halt?: AbortSignal;
  /** Called between items to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
}

/**
 * Imports the site profile and types of site folders, then all items, then all redirects.
 *
 * @throws {AppError} `invalid` for an invalid `site.yaml` or type; nothing is imported then.
 */
export async function importContent(
  record: ContentRecord,
  actor: Actor,
  sources: readonly ImportFiles[],
  options: ContentImportOptions,
): Promise<ImportTotals> {
  const { now, prefer = null, publisher, addresses, events, yieldBetween } = options;
  const placeholders = sources.some(isSiteExport) ? await findPlaceholderPages(record) : null;
  for (const source of sources)
    await importSiteSettings(record, actor, source, { now, prefer, publisher, events });
  const { counts, ...texts } = await importTexts(record, actor, sources, {
    ...options,
    events: placeholders?.watching(events) ?? events,
  });
  await placeholders?.withdrawOthers(record, actor, now);
  const lists = sources.flatMap(({ redirectLists }) => redirectLists);
  const redirects =
    addresses === undefined
      ? NO_REDIRECT_COUNTS
      : await importRedirects(
          record,
          actor,
          { ...texts, lists },
          {
            ...{ ...events, ...addresses },
            ...{ now, yieldBetween, newFilesAmong: publisher?.newFilesAmong },
          },
        );
  return { ...counts, redirects };
}

interface ImportedTexts {
  counts: ImportCounts;
  redirects: RedirectFromFile[];
  /** Redirects from the former addresses of post lists and files. */
  impliedRedirects: RedirectFromFile[];
}

/**
 * Imports everything except redirects. A separate function, so that the memory for the plans of
 * exports is freed before the redirects are imported.
 */
async function importTexts(
  record: ContentRecord,
  actor: Actor,
  sources: readonly ImportFiles[],
  options: ContentImportOptions,
): Promise<ImportedTexts> {
  const { now, status, events, halt, yieldBetween } = options;
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  const wordpress = await wordPressIn(record, actor, sources, { ...options, onBytes });
  const { surveyed, reading } = await surveyAll(record, actor, sources, { ...options, onBytes });
  const types = await record.types();
  const { names, links } = await indexItemNames(record, surveyed, {
    types,
    desk: options.tables?.desk,
  });
  const redirectsOfTerms = surveyed.map((each) => planTermPageRedirects(each, links));
  const withTerms = surveyed.map((each, at) =>
    withFormerTermPages(each, redirectsOfTerms[at] ?? []),
  );
  const items = readItems(withTerms, {
    ...{ ...reading, types, names: links, publishesAll: status === "published" },
    onNote: (message) => events.onNote?.(message),
  });
  await using tables = await tablesIn(record, actor, sources, { ...options, names, onBytes });
  const pageRedirects: RedirectFromFile[] = [];
  const counts = await importItems(
    record,
    actor,
    concatSources(
      [
        items,
        wordpress?.items(),
        tables?.items(),
        await referencesIn(record, sources, { ...options, names }),
      ],
      halt,
    ),
    {
      ...events,
      now,
      prefer: options.prefer ?? null,
      batchItemsMax: options.batchItemsMax,
      ...(status === undefined ? {} : { status }),
      onRedirect: (file, redirect) => pageRedirects.push({ file, line: 1, ...redirect }),
      onProgress: (read, counted) => events.onProgress?.({ items: read, bytes, counts: counted }),
      ...(yieldBetween === undefined ? {} : { yieldBetween }),
    },
  );
  await finishSiteSetup(record, actor, withTerms, { ...options, counts });
  const end = await wordpress?.end();
  if (end !== undefined) events.onExportsLeftOut?.(end.leftOut);
  const [file = ""] = sources.flatMap((source) => source.exports);
  const exportRedirects = (end?.redirects ?? []).map((pair) => ({ file, line: 1, ...pair }));
  const redirects = [...pageRedirects, ...redirectsOfTerms.flat(), ...exportRedirects];
  const { publisher } = options;
  const impliedRedirects = [
    ...surveyed.flatMap(planRedirectsFromFormerLists),
    ...(publisher === undefined
      ? []
      : await planFormerFileRedirects(record, surveyed, publisher, yieldBetween)),
  ];
  return {
    counts,
    redirects,
    impliedRedirects,
  };
}

/** Surveys the folders, and adds a type for their posts to the site if needed. */
async function surveyAll(
  record: ContentRecord,
  actor: Actor,
  sources: readonly ImportFiles[],
  options: ContentImportOptions & { onBytes: (bytes: number) => void },
): Promise<{ surveyed: readonly SurveyedSource[]; reading: ItemReadingOptions }> {
  const { now, unknown, publisher, addresses, events, generator, yieldBetween, onBytes } = options;
  const { language = "en", timeZone = "UTC" } = (await record.site()) ?? {};
  const planned = await planPostType(record, actor, options.wordpress?.as ?? []);
  const reading: ItemReadingOptions = {
    types: typesWithPlannedPostType(await record.types(), planned),
    ...{ unknown, now, timeZone, onBytes },
    typeAt: async (path) => (await record.itemAt(path))?.type ?? null,
    ...(publisher === undefined ? {} : { publisher }),
    ...(addresses === undefined ? {} : { isDocument: addresses.isDocument }),
    ...(yieldBetween === undefined ? {} : { yieldBetween }),
    async detectConventions(source) {
      const conventions = await detectFolderConventions(source, {
        ...{ timeZone, language, generator, yieldBetween },
      });
      if (conventions !== null) events.onConventions?.(source.root, conventions.generator.name);
      for (const note of conventions?.generator.notes ?? []) events.onNote?.(note);
      return conventionsWithPlannedPostType(conventions, planned);
    },
  };
  const surveyed = await preparePostType(record, actor, await surveySources(sources, reading), {
    ...{ planned, now, desk: options.tables?.desk ?? null },
    isDocument: addresses?.isDocument ?? (() => false),
    onNote: (message) => events.onNote?.(message),
  });
  return { surveyed, reading };
}

/** After the texts are imported, sets languages and menus, and withdraws placeholder pages. */
async function finishSiteSetup(
  record: ContentRecord,
  actor: Actor,
  surveyed: readonly SurveyedSource[],
  { now, events, yieldBetween, counts }: ContentImportOptions & { counts: ImportCounts },
): Promise<void> {
  await addEditionsOfTranslations(record, actor, surveyed, { ...events, now, yieldBetween });
  await importMenus(record, actor, surveyed, { ...events, now, yieldBetween });
  if (surveyed.some(({ conventions, source }) => conventions !== null || source.exports.length > 0))
    await withdrawAboutPlaceholder(record, actor, { ...events, now, counts });
}

async function wordPressIn(
  record: ContentRecord,
  actor: Actor,
  sources: readonly ImportFiles[],
  options: ContentImportOptions & { onBytes: (bytes: number) => void },
): Promise<WordPressImport | undefined> {
  const { now, status, publisher, wordpress, events, onBytes } = options;
  const exports = sources.flatMap((source) => source.exports);
  if (exports.length === 0 || wordpress === undefined || publisher === undefined) return undefined;
  return await openWordPressExports(record, actor, exports, {
    ...{ ...wordpress, now, publisher, onBytes, importsAsDrafts: status === "draft" },
    onNote: (message) => events.onNote?.(message),
  });
}

async function tablesIn(
  record: ContentRecord,
  actor: Actor,
  sources: readonly ImportFiles[],
  options: ContentImportOptions & { names: ItemNameLookup; onBytes: (bytes: number) => void },
) {
  const { now, status, tables, names, events, onBytes } = options;
  const files = sources.flatMap(({ tables: paths, bytes }) =>
    paths.map((path) => ({ path, bytes })),
  );
  if (files.length === 0 || tables === undefined) return undefined;
  return await openTableFiles(record, actor, files, {
    ...tables,
    names,
    now,
    onBytes,
    publishesAll: status === "published",
    onPreview: (preview) => events.onPreview?.(preview),
    onTable(table) {
      events.onTable?.(table);
      events.onExportsLeftOut?.(table.leftOut);
    },
  });
}

async function referencesIn(
  record: ContentRecord,
  sources: readonly ImportFiles[],
  options: ContentImportOptions & { names: ItemNameLookup },
) {
  const { now, status, tables, names, addresses, events, yieldBetween } = options;
  const files = sources.flatMap((source) => source.references);
  if (files.length === 0 || tables === undefined) return undefined;
  // Reads the works before anything is saved, so that real imports and dry runs find the same
  // works.
  const workType = tables.type ?? "work";
  await names.of([workType, "author", "topic"]);
  const titles = await readWorksByTitle(tables.desk, workType);
  return readBibliographies(record, files, {
    ...{ now, names, titles, origin: addresses?.origin ?? "" },
    ...(tables.type === undefined ? {} : { type: tables.type }),
    publishesAll: status === "published",
    ...(yieldBetween === undefined ? {} : { yieldBetween }),
    onNote: (message) => events.onNote?.(message),
  });
}
