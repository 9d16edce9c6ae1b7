import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { elsewhereIfReserved } from "../content/import/file-path.ts";
import type { FolderHabits } from "../content/import/habits/folder-habits.ts";
import { FolderTerms, withTerms } from "../content/import/habits/terms/folder-terms.ts";
import { ALIASES, type NamedOutline } from "../content/import/item-names.ts";
import { itemsInLines } from "../content/import/json-line.ts";
import {
  bodyToOutline,
  parseMarkdownFile,
  statedInMarkdownFile,
} from "../content/import/markdown-file.ts";
import type { WholeSite } from "../content/import/markdown-links.ts";
import { type LinkNames, typesNamedIn, withNamedLinks } from "../content/import/named-links.ts";
import { type OnUnknown, type ParsedItem, unreadable } from "../content/import/parsed-item.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { AppError } from "../errors.ts";
import { readTextWithinLimits } from "./html/read-text.ts";
import { type ImportFiles, isLinesFile, readText } from "./import-files.ts";
import { outlineWithinLimits } from "./outline.ts";
import { type FilePublisher, publishNamedFiles } from "./publish-files.ts";
import { type TermOptions, termItems } from "./term-items.ts";

export interface ReadingOptions {
  types: ContentTypes;
  unknown: OnUnknown;
  now: Date;
  timeZone: string;
  /** The conventions of a folder; null: those of this program. */
  habitsOf: (source: ImportFiles) => Promise<FolderHabits | null>;
  /** Without it, links to files stay unchanged. */
  publisher?: FilePublisher;
  /** Whether the service answers at an address itself. */
  isDocument?: (path: string) => boolean;
  /** Called with the size of each piece read. */
  onBytes?: (bytes: number) => void;
  /** Called between files to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
}

/** A source whose Markdown files have been surveyed. */
export interface SurveyedFiles {
  source: ImportFiles;
  habits: FolderHabits | null;
  places: Places;
}

/** Surveys the front matter of all Markdown files, so that items can refer to each other. */
export async function surveyItems(
  sources: readonly ImportFiles[],
  options: ReadingOptions,
): Promise<SurveyedFiles[]> {
  const surveyed: SurveyedFiles[] = [];
  for (const source of sources) {
    const habits = await options.habitsOf(source);
    surveyed.push({ source, habits, places: await pathsOfMarkdown(source, habits, options) });
  }
  return surveyed;
}

/** Reads items lazily, one file after another. */
export async function* readItems(
  surveyed: readonly SurveyedFiles[],
  options: ReadingOptions & Pick<TermOptions, "names" | "isPublished" | "onNote">,
): AsyncGenerator<ParsedItem> {
  for (const { source, habits, places } of surveyed) {
    yield* termItems(places.terms, { ...options, file: source.root });
    for (const file of originalsFirst(source.content, places)) {
      await options.yieldBetween?.();
      if (isLinesFile(file)) {
        const path = join(source.root, file);
        yield* itemsInLines(lineBytes(path), { file: path, ...options });
      } else {
        const parsed = await itemOfMarkdown(file, { source, habits, places, options });
        yield await withNamedLinks(parsed, options.names);
      }
    }
  }
}

function lineBytes(path: string): AsyncIterable<Uint8Array> {
  return path.toLowerCase().endsWith(".gz") ? unpacked(path) : createReadStream(path);
}

async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* pipeline(createReadStream(path), createGunzip(), () => {});
  } catch (error) {
    if (!(error instanceof Error && "code" in error && /^Z_/.test(String(error.code)))) throw error;
    throw new AppError(
      "invalid",
      {
        en: `Cannot read ${path}: it is damaged, or not packed by gzip`,
        de: `${path} ist beschädigt oder nicht mit gzip gepackt`,
      },
      {
        cause: error,
      },
    );
  }
}

export interface Places {
  /** The topics and authors that files of other programs name. */
  terms: FolderTerms;
  /** Site paths by file name. */
  paths: ReadonlyMap<string, string>;
  /** The first file with each site path. */
  owners: ReadonlyMap<string, string>;
  /** The paths of pages by their former addresses. */
  former: ReadonlyMap<string, string>;
  /** Paths of the texts that files translate, by file name. */
  originals: ReadonlyMap<string, string>;
  named: readonly NamedOutline[];
  /** Types of the items that files refer to by name rather than address. */
  typesNamed: ReadonlySet<string>;
}

/** A translation names its original, which must be saved before it. */
function originalsFirst(content: readonly string[], { originals }: Places): readonly string[] {
  const translations = content.filter((file) => originals.has(file));
  return [...content.filter((file) => !originals.has(file)), ...translations];
}

type Stated = NonNullable<ReturnType<typeof statedInMarkdownFile>>["input"];

interface Surroundings {
  source: ImportFiles;
  habits: FolderHabits | null;
  places: Places;
  options: ReadingOptions & { names: LinkNames };
}

async function itemOfMarkdown(
  file: string,
  { source, habits, places, options }: Surroundings,
): Promise<ParsedItem> {
  const shown = source.shownAs ?? join(source.root, file);
  const found = readText(join(source.root, file));
  if ("fault" in found) return unreadable(shown, 1, found.fault);
  options.onBytes?.(Buffer.byteLength(found.text));
  const { types, now, timeZone } = options;
  const markdown = await readTextWithinLimits({ file, text: found.text }, habits);
  const outlined = await outlineWithinLimits(bodyToOutline(markdown));
  if ("refusal" in outlined) return unreadable(shown, markdown.linesBefore + 1, outlined.refusal);
  const { outline } = outlined;
  const place = {
    file,
    root: source.root,
    ...(habits === null ? {} : { filesAt: habits.filesAt }),
  };
  const media =
    options.publisher === undefined
      ? {}
      : { media: await publishNamedFiles(outline, place, options.publisher) };
  const read = parseMarkdownFile(markdown, {
    ...{ types, now, timeZone, outline, ...media },
    unknown: habits === null ? options.unknown : "count",
    pathOf: (other: string) => places.paths.get(other),
    ...(habits === null ? {} : { wholeSite: wholeSiteOf(habits, places) }),
  });
  const { find } = options.names;
  const parsed = withTerms(read, markdown, { types, find });
  const path = parsed.input?.path;
  const owner = path === undefined ? file : (places.owners.get(path) ?? file);
  if (owner === file)
    return {
      ...linkedToOriginal(
        withFreeAddresses(parsed, places, habits === null ? () => false : servedBy(options)),
        places.originals.get(file),
      ),
      file: shown,
    };
  const other = join(source.root, owner);
  const message = {
    en: `${path} is also the path of ${other}`,
    de: `${path} ist auch die Adresse von ${other}`,
  };
  const problem = { ...parsed.placeOf("path"), message, severity: "error" as const };
  return { ...parsed, file: shown, input: null, problems: [...parsed.problems, problem] };
}

function servedBy({ types, isDocument }: ReadingOptions): (path: string) => boolean {
  const lists = new Set([...types.values()].map(({ listPath }) => listPath));
  return (path) =>
    elsewhereIfReserved(path) !== path || lists.has(path) || isDocument?.(path) === true;
}

/** Leaves out former addresses that are in use, by a page or the service, with a warning. */
function withFreeAddresses(
  parsed: ParsedItem,
  { owners, former }: Places,
  isServed: (path: string) => boolean,
): ParsedItem {
  const { input } = parsed;
  const stated = input?.redirectFrom ?? [];
  const isFree = (address: string) =>
    !isServed(address) &&
    !owners.has(address) &&
    (former.get(address) ?? input?.path) === input?.path;
  const taken = stated.filter((address) => !isFree(address));
  if (input === null || taken.length === 0) return parsed;
  const problems = taken
    .filter((address) => address !== input.path)
    .map((address) => ({
      ...parsed.placeOf("redirectFrom"),
      message: {
        en: `${address} is left out: another page has it, or the service itself`,
        de: `${address} wird weggelassen: Eine andere Seite oder das Programm selbst hat die Adresse`,
      },
      severity: "warning" as const,
    }));
  const redirectFrom = stated.filter(isFree);
  return {
    ...parsed,
    input: { ...input, redirectFrom },
    problems: [...parsed.problems, ...problems],
  };
}

function wholeSiteOf({ filesAt, languages }: FolderHabits, places: Places): WholeSite {
  const { owners, former } = places;
  const pageAt = (path: string): string | undefined => {
    const moved = elsewhereIfReserved(path);
    return owners.has(moved) ? moved : (former.get(path) ?? former.get(`${path}/`));
  };
  return {
    filesAt,
    pageAt(path) {
      const fallback = languages.fallbackOf(path);
      return pageAt(path) ?? (fallback === null ? undefined : pageAt(fallback));
    },
  };
}

function linkedToOriginal(parsed: ParsedItem, original: string | undefined): ParsedItem {
  const { input } = parsed;
  if (original === undefined || input === null || input.translationOf !== undefined) return parsed;
  return { ...parsed, input: { ...input, translationOf: original } };
}

/** Future site paths of the Markdown files, to resolve links between them. */
async function pathsOfMarkdown(
  { root, content }: ImportFiles,
  habits: FolderHabits | null,
  options: ReadingOptions,
): Promise<Places> {
  const { types, yieldBetween } = options;
  const terms = new FolderTerms();
  const paths = new Map<string, string>();
  const owners = new Map<string, string>();
  /** Files by their path on the site, and the paths of the texts that files translate. */
  const files = new Map<string, string>();
  const translated = new Map<string, string>();
  const former = new Map<string, string>();
  const named: NamedOutline[] = [];
  const typesNamed = new Set<string>();
  for (const file of content.filter((each) => !isLinesFile(each))) {
    await yieldBetween?.();
    const read = readText(join(root, file));
    if (!("text" in read)) continue;
    const markdown = await readTextWithinLimits({ file, ...read }, habits);
    const found = statedInMarkdownFile(markdown, options);
    if (found === undefined) continue;
    const { input: stated, isNotPublic } = found;
    terms.add(markdown, !isNotPublic);
    const { path } = stated;
    for (const type of typesNamedIn(stated, types)) typesNamed.add(type);
    paths.set(file, path);
    setIfNew(owners, path, file);
    for (const address of stated.redirectFrom ?? []) setIfNew(former, address, path);
    const { below = file, original = null } = markdown.adapted?.place ?? {};
    files.set(below, file);
    if (original !== null) translated.set(file, original);
    const isTranslation = original !== null || stated.translationOf !== undefined;
    named.push(outlineOf(stated, isTranslation));
  }
  const originals = [...translated].flatMap(([file, place]) => {
    const path = paths.get(files.get(place) ?? "");
    return path === undefined ? [] : [[file, path] as const];
  });
  return { terms, paths, owners, former, originals: new Map(originals), named, typesNamed };
}

function setIfNew(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}

function outlineOf(
  { type, path, title, fields, sourceKey }: Stated,
  isTranslation: boolean,
): NamedOutline {
  const aliases = fields[ALIASES];
  const names = Array.isArray(aliases) ? aliases.map(String) : [];
  return { type, path, title, aliases: names, sourceKey: sourceKey ?? null, isTranslation };
}
