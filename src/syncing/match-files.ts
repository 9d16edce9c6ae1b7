import type { Parts } from "../content/drafts/draft.ts";
import type { ImportProblem } from "../content/import/parsed-item.ts";
import { type FileFacts, findRenames, type GoneFile, type NewFile } from "./find-renames.ts";
import { readItemText, type TextOptions } from "./read-item-text.ts";
import type { SiteItem } from "./site-state.ts";
import type { BaseRow, SyncBase } from "./sync-base.ts";
import type { FileState } from "./sync-folder.ts";

export interface ItemFile {
  file: string;
  text: string;
}

/** A file of an item; `row` is null if the two were never in sync. */
export type FoundFile = ItemFile & { id: string; row: BaseRow | null };

/** Files matched to items, and what could not be matched. */
export interface MatchedFiles {
  found: FoundFile[];
  /** Files of items that are not on the site yet. */
  added: ItemFile[];
  /** Items whose files are gone. */
  gone: BaseRow[];
  faults: { file: string; problems: readonly ImportProblem[] }[];
  /** Whether a new file is unreadable; it may be a renamed one that is being written. */
  isUnclear: boolean;
  /** Site paths by file. */
  paths: Map<string, string>;
}

interface KnownItems extends TextOptions {
  rows: ReadonlyMap<string, BaseRow>;
  site: ReadonlyMap<string, SiteItem>;
  base: Pick<SyncBase, "texts">;
}

/** Matches files by name, renamed ones by content, and new ones by path. */
export async function matchFiles(
  texts: ReadonlyMap<string, FileState>,
  { rows, site, base, ...options }: KnownItems,
): Promise<MatchedFiles> {
  const rowsByFile = new Map([...rows.values()].map((row) => [row.file, row]));
  const matched: MatchedFiles = {
    ...{ found: [], added: [], gone: [], faults: [], isUnclear: false },
    paths: new Map(),
  };
  const news = new Map<string, ReadFile>();
  for (const [file, state] of texts) {
    const row = rowsByFile.get(file);
    if (row !== undefined) matched.paths.set(file, row.path);
    if ("fault" in state) {
      matched.faults.push({ file, problems: [problem(state.fault)] });
      matched.isUnclear ||= row === undefined;
    } else if (row !== undefined) matched.found.push({ id: row.id, row, file, text: state.text });
    else news.set(file, { file, ...(await fileFacts(state.text, file, options)) });
  }
  const gone = [...rows.values()].filter(({ file }) => !texts.has(file));
  const goneFiles: GoneFile[] = [];
  for (const { id, file, path } of news.size === 0 ? [] : gone) {
    goneFiles.push({ ...(await fileFacts(base.texts(id).text, file, options)), id, path });
  }
  matchRenamed(matched, news, { gone, renames: findRenames(goneFiles, [...news.values()]) });
  matchByPath(matched, [...news.values()], { rows, site });
  return matched;
}

type ReadFile = NewFile & { problems: readonly ImportProblem[] };

/** Moves renamed files from the new to the matched ones. */
function matchRenamed(
  matched: MatchedFiles,
  news: Map<string, ReadFile>,
  { gone, renames }: { gone: readonly BaseRow[]; renames: ReadonlyMap<string, string> },
): void {
  for (const row of gone) {
    const file = news.get(renames.get(row.id) ?? "");
    if (file === undefined) {
      matched.gone.push(row);
      continue;
    }
    news.delete(file.file);
    matched.paths.set(file.file, file.path ?? row.path);
    matched.found.push({ id: row.id, row, file: file.file, text: file.text });
  }
}

function matchByPath(
  matched: MatchedFiles,
  news: readonly ReadFile[],
  { rows, site }: Pick<KnownItems, "rows" | "site">,
): void {
  const owners = new Map([...site.values()].map(({ id, path }) => [path, id]));
  const files = new Map(
    matched.found.map(({ id, file }) => [site.get(id)?.path ?? "", file] as const),
  );
  for (const { file, text, path, problems } of news) {
    if (path === null) {
      matched.faults.push({ file, problems });
      matched.isUnclear = true;
      continue;
    }
    const owner = owners.get(path);
    const other = files.get(path) ?? (owner === undefined ? undefined : rows.get(owner)?.file);
    if (other !== undefined) {
      matched.faults.push({ file, problems: [takenPath(path, other)] });
      continue;
    }
    files.set(path, file);
    matched.paths.set(file, path);
    if (owner === undefined) matched.added.push({ file, text });
    else matched.found.push({ id: owner, row: null, file, text });
  }
}

async function fileFacts(
  text: string,
  file: string,
  options: TextOptions,
): Promise<FileFacts & { problems: readonly ImportProblem[] }> {
  const read = await readItemText(text, file, options);
  const parts: Parts = "problems" in read ? {} : read.parts;
  const named = (part: string) => {
    const value = parts[part];
    return typeof value === "string" ? value : null;
  };
  return {
    text,
    path: named("path"),
    sourceKey: named("sourceKey"),
    type: named("type"),
    title: named("title"),
    body: named("body") ?? "",
    problems: "problems" in read ? read.problems : [],
  };
}

function problem(message: ImportProblem["message"]): ImportProblem {
  return { line: 1, field: "", message, severity: "error" };
}

function takenPath(path: string, other: string): ImportProblem {
  return {
    ...problem({
      en: `${path} is also the path of ${other}; give one of them another`,
      de: `${path} ist auch die Adresse von ${other}; geben Sie einer davon eine andere`,
    }),
    field: "path",
  };
}
