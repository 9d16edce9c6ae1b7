import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import type { Actor } from "../access/actor.ts";
import type { RedirectInput } from "../content/addresses/redirects.ts";
import type { SiteDescription } from "../content/editing/imported/site-parts.ts";
import type { MediaFile, MediaFileStorage } from "../content/media/media.ts";
import type { MediaFileInput } from "../content/media/media-file-input.ts";
import { mediaFileName } from "../content/media/media-kinds.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { isReservedOnWindows } from "../files/path-below.ts";
import type { FileToPack } from "../files/zip-packing.ts";
import { exportItems } from "./exporting.ts";
import { formatRedirectTables } from "./redirect-table.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * The file in a site folder with the site's settings. Next to it is the folder with the types that the
 * site declares.
 */
export const SITE_SETTINGS_FILE = "site.yaml";
export const TYPES_FOLDER = "types";
/** The file in a site folder with the style rules: the setting `look.css`. */
export const THEME_FILE = "theme.css";
/** The file in a site folder with the redirects whose targets are not items. */
export const REDIRECTS_FILE = "redirects.csv";
/** Matches {@link REDIRECTS_FILE} and its continuations, such as `redirects-2.csv`. */
export const REDIRECTS_FILE_PATTERN = /^redirects(?:-\d+)?\.csv$/;
/** The file below `content/` that contains all items, in an export that writes them to a single file. */
export const EXPORTED_ITEMS_FILE = "items.jsonl";
/** The file below `content/` with the addresses of deleted items, in an export with one file per item. */
export const EXPORTED_DELETIONS_FILE = "deleted.jsonl";
/** The folder of an export for pictures and other files. */
export const MEDIA_FOLDER = "media";

const MEDIA_BATCH = 100;

export interface SiteExportDependencies {
  snapshot: Snapshot;
  mediaFiles: Pick<MediaFileStorage, "find">;
  /** Called with the number of items read so far. */
  onItems: (items: number) => void;
}

/**
 * The files of a site folder that an import can read again: settings, types, redirects, media and items. They
 * contain nothing secret: no keys, people or messages. Read each file before requesting the next.
 *
 * @throws {AppError} `forbidden`.
 */
export async function* exportSiteWithSingleItemsFile(
  actor: Actor,
  parts: SiteExportDependencies,
): AsyncGenerator<FileToPack> {
  yield* exportSettingsFiles(parts.snapshot);
  yield* exportRedirectFiles(parts.snapshot);
  yield* exportMediaFiles(parts);
  yield {
    name: `content/${EXPORTED_ITEMS_FILE}`,
    isCompressed: false,
    bytes: () => exportItemsAsJsonLines(actor, parts),
  };
}

/** The settings and types of a site folder. */
export async function* exportSettingsFiles(snapshot: Snapshot): AsyncGenerator<FileToPack> {
  const profile = await snapshot.site();
  const types = await snapshot.declaredTypes();
  const described = profile === null ? [] : buildSiteDescriptionFiles({ profile, types });
  for (const { name, text } of described) yield createPackedTextFile(name, text);
}

/**
 * Yields the files of a site folder with redirects: first the redirects that do not lead to an item, then
 * `more`, which can include redirects to items.
 */
export async function* exportRedirectFiles(
  snapshot: Snapshot,
  more: readonly RedirectInput[] = [],
): AsyncGenerator<FileToPack> {
  const lists = buildRedirectFiles([...(await snapshot.redirects()), ...more]);
  for (const { name, text } of lists) yield createPackedTextFile(name, text);
}

interface NamedText {
  name: string;
  text: string;
}

/** `site.yaml`, `theme.css` if the site has style rules, and the files of `types/`. */
export function buildSiteDescriptionFiles({ profile, types }: SiteDescription): NamedText[] {
  const names = typeFileNames(types);
  const { css, ...look } = profile.look;
  return [
    { name: SITE_SETTINGS_FILE, text: stringify({ ...profile, look }) },
    ...(css === undefined ? [] : [{ name: THEME_FILE, text: css }]),
    ...types.map((type, at) => ({
      name: `${TYPES_FOLDER}/${names[at] ?? ""}`,
      text: stringify(type),
    })),
  ];
}

/** Returns the redirects as files of a site folder. */
export function buildRedirectFiles(redirects: readonly RedirectInput[]): NamedText[] {
  return formatRedirectTables(redirects).map((text, at) => ({
    name: at === 0 ? REDIRECTS_FILE : `redirects-${at + 1}.csv`,
    text,
  }));
}

/**
 * Names for the files of types. An import declares types in the order of their file names. If that
 * order would differ from the order of `types`, or Windows reserves one of the names, all names begin
 * with a number.
 */
function typeFileNames(types: readonly ContentType[]): string[] {
  const names = types.map(({ name }) => `${name}.yaml`);
  const areUsable = !names.some(isReservedOnWindows);
  if (areUsable && isDeepStrictEqual(names, names.toSorted())) return names;
  const digits = String(names.length).length;
  return names.map((name, at) => `${String(at + 1).padStart(digits, "0")}-${name}`);
}

/** The media, and `media.jsonl` with their metadata. */
export async function* exportMediaFiles({
  snapshot,
  mediaFiles,
}: Pick<SiteExportDependencies, "snapshot" | "mediaFiles">): AsyncGenerator<FileToPack> {
  const lines: string[] = [];
  let after = "";
  for (;;) {
    const batch = await snapshot.media(after, MEDIA_BATCH);
    for (const medium of batch) {
      const name = mediaFileName(medium);
      const source = await mediaFiles.find(name);
      if (source === null) continue;
      yield {
        name: `${MEDIA_FOLDER}/${name}`,
        isCompressed: true,
        bytes: () => source.stream({ start: 0, end: source.bytes - 1 }),
      };
      lines.push(`${JSON.stringify(mediaLine(medium))}\n`);
    }
    const last = batch.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (lines.length > 0) yield createPackedTextFile("media.jsonl", lines.join(""));
}

/** The line of a medium in `media.jsonl`, as `parseMediaLine` reads it. */
function mediaLine(medium: MediaFile): { file: string } & MediaFileInput {
  const { name, alt, credit, isDecorative, alwaysPublic } = medium;
  return {
    file: mediaFileName(medium),
    ...{ name, alt, credit },
    ...(isDecorative && { isDecorative }),
    ...(alwaysPublic && { alwaysPublic }),
  };
}

/** All items as JSON lines. @throws {AppError} `forbidden`. */
export async function* exportItemsAsJsonLines(
  actor: Actor,
  { snapshot, onItems }: Pick<SiteExportDependencies, "snapshot" | "onItems">,
): AsyncGenerator<string> {
  let done = 0;
  for await (const { items, text } of exportItems(snapshot, actor)) {
    yield text;
    done += items;
    onItems(done);
  }
}

export function createPackedTextFile(name: string, text: string): FileToPack {
  return {
    name,
    isCompressed: false,
    async *bytes() {
      yield text;
    },
  };
}
