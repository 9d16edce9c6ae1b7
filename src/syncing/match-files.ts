import type { DraftedItemParts } from "../content/drafts/draft.ts";
import type { ImportProblem } from "../content/import/parsed-item.ts";
import { findRenames, type GoneFile, type ItemFileContent, type NewFile } from "./find-renames.ts";
import { type ItemTextOptions, parseItemText } from "./read-item-text.ts";
import type { SiteItem } from "./site-state.ts";
import type { SyncBase, SyncBaseRow } from "./sync-base.ts";
import type { FileTextOrError } from "./sync-folder.ts";

export interface ItemFile {
  file: string;
  text: string;
}

/** A file of a known item; `row` is null if file and item were never in sync. */
export type FileOfKnownItem = ItemFile & { id: string; row: SyncBaseRow | null };

/** Files matched to items, and the files and items that could not be matched. */
export interface MatchedFiles {
  found: FileOfKnownItem[];
  /** Files of items that are not on the site yet. */
  added: ItemFile[];
  /** Items whose files are gone. */
  gone: SyncBaseRow[];
  faults: { file: string; problems: readonly ImportProblem[] }[];
  /** Whether a new file cannot be read. It may be a renamed file that is still being written. */
  mayMissRename: boolean;
  /** The site path of each file. */
  paths: Map<string, string>;
}

/** The items of the base and of the site. */
interface KnownItems extends ItemTextOptions {
  rows: ReadonlyMap<string, SyncBaseRow>;
  siteItems: ReadonlyMap<string, SiteItem>;
  base: Pick<SyncBase, "texts">;
}

/** Matches files to items: known files by name, renamed files by content, and new files by path. */
export async function matchFiles(
  texts: ReadonlyMap<string, FileTextOrError>,
  { rows, siteItems, base, ...options }: KnownItems,
): Promise<MatchedFiles> {
  const rowsByFile = new Map([...rows.values()].map((row) => [row.file, row]));
  const matched: MatchedFiles = {
    ...{ found: [], added: [], gone: [], faults: [], mayMissRename: false },
    paths: new Map(),
  };
  const newFiles = new Map<string, ParsedNewFile>();
  for (const [file, state] of texts) {
    const row = rowsByFile.get(file);
    if (row !== undefined) matched.paths.set(file, row.path);
    if ("fault" in state) {
      matched.faults.push({ file, problems: [problem(state.fault)] });
      matched.mayMissRename ||= row === undefined;
    } else if (row !== undefined) matched.found.push({ id: row.id, row, file, text: state.text });
    else newFiles.set(file, { file, ...(await fileContent(state.text, file, options)) });
  }
  const goneRows = [...rows.values()].filter(({ file }) => !texts.has(file));
  const goneFiles: GoneFile[] = [];
  for (const { id, file, path } of newFiles.size === 0 ? [] : goneRows) {
    goneFiles.push({ ...(await fileContent(base.texts(id).text, file, options)), id, path });
  }
  matchRenamed(matched, newFiles, {
    goneRows,
    renames: findRenames(goneFiles, [...newFiles.values()]),
  });
  matchByPath(matched, [...newFiles.values()], { rows, siteItems });
  return matched;
}

type ParsedNewFile = NewFile & { problems: readonly ImportProblem[] };

/** Matches renamed files to their items, and removes them from the new files. */
function matchRenamed(
  matched: MatchedFiles,
  newFiles: Map<string, ParsedNewFile>,
  { goneRows, renames }: { goneRows: readonly SyncBaseRow[]; renames: ReadonlyMap<string, string> },
): void {
  for (const row of goneRows) {
    const file = newFiles.get(renames.get(row.id) ?? "");
    if (file === undefined) {
      matched.gone.push(row);
      continue;
    }
    newFiles.delete(file.file);
    matched.paths.set(file.file, file.path ?? row.path);
    matched.found.push({ id: row.id, row, file: file.file, text: file.text });
  }
}

function matchByPath(
  matched: MatchedFiles,
  newFiles: readonly ParsedNewFile[],
  { rows, siteItems }: Pick<KnownItems, "rows" | "siteItems">,
): void {
  const itemIdsByPath = new Map([...siteItems.values()].map(({ id, path }) => [path, id]));
  const filesByPath = new Map(
    matched.found.map(({ id, file }) => [siteItems.get(id)?.path ?? "", file] as const),
  );
  for (const { file, text, path, problems } of newFiles) {
    if (path === null) {
      matched.faults.push({ file, problems });
      matched.mayMissRename = true;
      continue;
    }
    const itemId = itemIdsByPath.get(path);
    const other =
      filesByPath.get(path) ?? (itemId === undefined ? undefined : rows.get(itemId)?.file);
    if (other !== undefined) {
      matched.faults.push({ file, problems: [takenPathProblem(path, other)] });
      continue;
    }
    filesByPath.set(path, file);
    matched.paths.set(file, path);
    if (itemId === undefined) matched.added.push({ file, text });
    else matched.found.push({ id: itemId, row: null, file, text });
  }
}

async function fileContent(
  text: string,
  file: string,
  options: ItemTextOptions,
): Promise<ItemFileContent & { problems: readonly ImportProblem[] }> {
  const read = await parseItemText(text, file, options);
  const parts: DraftedItemParts = "problems" in read ? {} : read.parts;
  const textPart = (part: string) => {
    const value = parts[part];
    return typeof value === "string" ? value : null;
  };
  return {
    text,
    path: textPart("path"),
    sourceKey: textPart("sourceKey"),
    type: textPart("type"),
    title: textPart("title"),
    body: textPart("body") ?? "",
    problems: "problems" in read ? read.problems : [],
  };
}

function problem(message: ImportProblem["message"]): ImportProblem {
  return { line: 1, field: "", message, severity: "error" };
}

function takenPathProblem(path: string, other: string): ImportProblem {
  return {
    ...problem({
      en: `${path} is also the path of ${other}; give one of them another`,
      de: `${path} ist auch die Adresse von ${other}; geben Sie einer davon eine andere`,
    }),
    field: "path",
  };
}
