import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FolderConventions } from "../content/import/conventions/folder-conventions.ts";
import { addTermLinks } from "../content/import/conventions/terms/folder-terms.ts";
import { avoidReservedPath } from "../content/import/file-path.ts";
import { parseJsonLines } from "../content/import/json-line.ts";
import { bodyForOutline, parseMarkdownFile } from "../content/import/markdown-file.ts";
import { type NamedLinkContext, resolveNamedLinks } from "../content/import/named-links.ts";
import { createUnreadableItem, type ParsedItem } from "../content/import/parsed-item.ts";
import { findPortraitLink } from "../content/import/parsing/portrait-file.ts";
import { AppError, type Wording } from "../errors.ts";
import { readTextInAnyEncoding } from "./any-encoding.ts";
import { draftFromBrokenFile, withFrontMatterLossNotice } from "./folders/broken-front-matter.ts";
import { createFormerSiteLookup } from "./folders/former-site-lookup.ts";
import { generateSectionItems } from "./folders/section-items.ts";
import type { FolderSurvey, ItemReadingOptions, SurveyedSource } from "./folders/survey-items.ts";
import { readTextWithinLimits } from "./html/read-text.ts";
import { type ImportFiles, isJsonLinesFile } from "./import-files.ts";
import { parseOutlineWithinLimits } from "./outline.ts";
import { publishLinkedFiles } from "./publish-files.ts";
import { generateMissingTermItems, type TermItemOptions } from "./term-items.ts";

/** Reads items lazily, one file after another. */
export async function* readItems(
  surveyed: readonly SurveyedSource[],
  options: ItemReadingOptions & Pick<TermItemOptions, "names" | "publishesAll" | "onNote">,
): AsyncGenerator<ParsedItem> {
  for (const { source, conventions, survey, lists } of surveyed) {
    yield* generateMissingTermItems(survey.terms, { ...options, file: source.root });
    yield* generateSectionItems(survey.sections, options.names.record, {
      ...options,
      root: source.root,
    });
    for (const file of originalsFirst(source.content, survey)) {
      await options.yieldBetween?.();
      if (isJsonLinesFile(file)) {
        const path = join(source.root, file);
        yield* parseJsonLines(lineBytes(path), { file: path, ...options });
      } else {
        const parsed = await itemOfMarkdown(file, { source, conventions, survey, lists, options });
        yield await resolveNamedLinks(parsed, options.names);
      }
    }
  }
}

function lineBytes(path: string): AsyncIterable<Uint8Array> {
  return path.toLowerCase().endsWith(".gz") ? unzipped(path) : createReadStream(path);
}

async function* unzipped(path: string): AsyncGenerator<Uint8Array> {
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

/** Puts translations last, because they refer to originals, which must be saved first. */
function originalsFirst(
  content: readonly string[],
  { originals }: FolderSurvey,
): readonly string[] {
  const translations = content.filter((file) => originals.has(file));
  return [...content.filter((file) => !originals.has(file)), ...translations];
}

interface FileContext {
  source: ImportFiles;
  conventions: FolderConventions | null;
  survey: FolderSurvey;
  lists: SurveyedSource["lists"];
  options: ItemReadingOptions & { names: NamedLinkContext };
}

async function itemOfMarkdown(
  file: string,
  { source, conventions, survey, lists, options }: FileContext,
): Promise<ParsedItem> {
  const shown = source.displayName ?? join(source.root, file);
  const found = readTextInAnyEncoding(join(source.root, file));
  if ("fault" in found) return createUnreadableItem(shown, 1, found.fault);
  options.onBytes?.(Buffer.byteLength(found.text));
  const { types, now, timeZone } = options;
  const whole = await readTextWithinLimits({ file, text: found.text }, conventions);
  const { record } = options.names;
  const draft = await draftFromBrokenFile(whole, survey.paths.get(file), record);
  const markdown = draft ?? whole;
  const outlined = await parseOutlineWithinLimits(bodyForOutline(markdown));
  if ("refusal" in outlined)
    return createUnreadableItem(shown, markdown.linesBefore + 1, outlined.refusal);
  const { outline } = outlined;
  const place = {
    file,
    root: source.root,
    ...(conventions === null ? {} : { filesAt: conventions.filesAt }),
  };
  const media =
    options.publisher === undefined
      ? {}
      : {
          media: await publishLinkedFiles(
            { links: outline.links, portrait: findPortraitLink(markdown, types) },
            place,
            options.publisher,
          ),
        };
  const read = parseMarkdownFile(markdown, {
    ...{ types, now, timeZone, outline, ...media },
    unknown: conventions === null ? options.unknown : "count",
    pathOf: (other: string) => survey.paths.get(other),
    ...(conventions === null
      ? {}
      : { wholeSite: createFormerSiteLookup(conventions, survey, lists) }),
  });
  const { find } = options.names;
  const parsed = addTermLinks(
    draft === null ? read : withFrontMatterLossNotice(read, whole),
    markdown,
    {
      types,
      find,
    },
  );
  const path = parsed.input?.path;
  const owner = path === undefined ? file : (survey.owners.get(path) ?? file);
  if (owner === file)
    return {
      ...withOriginal(
        withFreeAddresses(
          withNote(parsed, found.note),
          survey,
          conventions === null ? () => false : isServedBy(options),
        ),
        { file, survey },
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

function withNote(parsed: ParsedItem, note: Wording | undefined): ParsedItem {
  if (note === undefined) return parsed;
  const problem = { line: 1, field: "", message: note, severity: "warning" as const };
  return { ...parsed, problems: [...parsed.problems, problem] };
}

function isServedBy({ types, isDocument }: ItemReadingOptions): (path: string) => boolean {
  const lists = new Set([...types.values()].map(({ listPath }) => listPath));
  return (path) =>
    avoidReservedPath(path) !== path || lists.has(path) || isDocument?.(path) === true;
}

/** Removes former addresses from an item, with a warning, if another page or the service uses them. */
function withFreeAddresses(
  parsed: ParsedItem,
  { owners, former }: FolderSurvey,
  isServed: (path: string) => boolean,
): ParsedItem {
  const { input } = parsed;
  const addresses = input?.redirectFrom ?? [];
  const isFree = (address: string) =>
    !isServed(address) &&
    !owners.has(address) &&
    (former.get(address) ?? input?.path) === input?.path;
  const takenAddresses = addresses.filter((address) => !isFree(address));
  if (input === null || takenAddresses.length === 0) return parsed;
  const problems = takenAddresses
    .filter((address) => address !== input.path)
    .map((address) => ({
      ...parsed.placeOf("redirectFrom"),
      message: {
        en: `${address} is left out: another page has it, or the service itself`,
        de: `${address} wird weggelassen: Eine andere Seite oder das Programm selbst hat die Adresse`,
      },
      severity: "warning" as const,
    }));
  const redirectFrom = addresses.filter(isFree);
  return {
    ...parsed,
    input: { ...input, redirectFrom },
    problems: [...parsed.problems, ...problems],
  };
}

function withOriginal(
  parsed: ParsedItem,
  { file, survey }: { file: string; survey: FolderSurvey },
): ParsedItem {
  const { input } = parsed;
  if (input === null) return parsed;
  if (input.translationOf !== undefined) {
    const translationOf = firstOriginal(input.translationOf, survey);
    return { ...parsed, input: { ...input, translationOf } };
  }
  const original = survey.originals.get(file);
  if (original !== undefined) return { ...parsed, input: { ...input, translationOf: original } };
  const other = survey.originalsOfOtherType.get(file);
  if (other === undefined) return parsed;
  const message = {
    en: `is not linked to ${other}, which it translates: only one of them is a post with a date`,
    de: `wird nicht mit ${other} verbunden, das es übersetzt: Nur eines davon ist ein Beitrag mit Datum`,
  };
  const problem = { ...parsed.placeOf("date"), message, severity: "warning" as const };
  return { ...parsed, problems: [...parsed.problems, problem] };
}

/**
 * Follows a chain of translations to its original, because a translation cannot be translated
 * itself.
 */
function firstOriginal(stated: string, { statedOriginals }: FolderSurvey): string {
  const seen = new Set<string>();
  let original = stated;
  for (let next = statedOriginals.get(original); next !== undefined; ) {
    if (seen.has(next)) return stated;
    seen.add(next);
    original = next;
    next = statedOriginals.get(original);
  }
  return original;
}
