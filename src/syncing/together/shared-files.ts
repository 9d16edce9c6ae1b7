import { deriveDefaultSitePath } from "../../content/import/file-path.ts";
import { readFrontMatter } from "../../content/import/front-matter.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { isConflictCopy } from "../item-files.ts";
import type { FileTextOrError, SyncFolder } from "../sync-folder.ts";
import { jsonLineOfText, readSharedLines, type SharedLine } from "./shared-lines.ts";
import { isSharedFile, sharedFileName } from "./shared-names.ts";

/** The location of an item in the shared files. `path` identifies the line. */
interface Place {
  file: string;
  path: string;
}

/**
 * Presents each item in a shared file as a file of its own, so that a sync handles all items in the same way.
 * New items of a type that shares files are added to the shared files.
 */
export function presentSharedItemsAsFiles(folder: SyncFolder, types: ContentTypes): SyncFolder {
  const shared = new SharedItems(folder, types);
  return {
    ...folder,
    files: () => shared.files(),
    read(ownFile) {
      const place = shared.placeOf(ownFile);
      return place === undefined ? folder.read(ownFile) : shared.textAt(place);
    },
    async write(ownFile, text, expected) {
      const place = expected === null ? shared.placeOfNew(ownFile, text) : shared.placeOf(ownFile);
      if (place === undefined) return await folder.write(ownFile, text, expected);
      if (expected === null) return await shared.put(ownFile, place, { text, expected });
      return await shared.replace(ownFile, place, { text, expected });
    },
    async move(from, to) {
      const place = shared.placeOf(from);
      if (place === undefined) return await folder.move(from, to);
      const text = shared.textAt(place);
      const target = text === null ? undefined : shared.placeOfNew(to, text);
      if (text === null || target === undefined) return false;
      if (!(await shared.put(to, target, { text, expected: null }))) return false;
      return await shared.remove(from, place, text);
    },
    async remove(ownFile, expected) {
      const place = shared.placeOf(ownFile);
      if (place === undefined) return await folder.remove(ownFile, expected);
      return await shared.remove(ownFile, place, expected);
    },
  };
}

interface ParsedFile {
  text: string | null;
  /** Null: the file cannot be read. */
  lines: readonly SharedLine[] | null;
}

/** Items in shared files, keyed by the name that each item's own file would have. */
class SharedItems {
  readonly #folder: SyncFolder;
  readonly #types: ContentTypes;
  readonly #places = new Map<string, Place>();
  /**
   * Caches the parsed content of shared files, so that changing one item does not parse the others
   * again.
   */
  readonly #parsed = new Map<string, ParsedFile>();
  readonly #sharedTypes = new Set<string>();

  constructor(folder: SyncFolder, types: ContentTypes) {
    this.#folder = folder;
    this.#types = types;
  }

  files(): ReturnType<SyncFolder["files"]> {
    this.#places.clear();
    const { texts, others } = this.#folder.files();
    const all = new Map<string, FileTextOrError>(texts);
    for (const file of others.filter(isSharedFile)) {
      const state = this.#folder.readOrFault(file);
      if (state === null) continue;
      if ("fault" in state) {
        all.set(file, state);
        continue;
      }
      const { text } = state;
      const lines = readSharedLines(text, file, this.#types);
      if (!Array.isArray(lines)) all.set(file, { fault: lines });
      else {
        this.#parsed.set(file, { text, lines });
        this.#show(lines, file, all);
      }
    }
    return { texts: all, others: others.filter((file) => !isSharedFile(file)) };
  }

  #show(lines: readonly SharedLine[], file: string, all: Map<string, FileTextOrError>): void {
    for (const { ownFile, text, path, type } of lines) {
      if (all.has(ownFile)) all.set(file, { fault: alsoIn(path, ownFile) });
      else {
        all.set(ownFile, { text });
        this.#places.set(ownFile, { file, path });
        this.#sharedTypes.add(type);
      }
    }
  }

  placeOf(ownFile: string): Place | undefined {
    return this.#places.get(ownFile);
  }

  /** The location of a new item. Undefined: the item does not belong in a shared file. */
  placeOfNew(ownFile: string, text: string): Place | undefined {
    if (isConflictCopy(ownFile)) return undefined;
    const { type } = readFrontMatter(text).values;
    if (typeof type !== "string" || !this.#sharedTypes.has(type)) return undefined;
    const path = this.#pathIn(text, ownFile);
    const file = sharedFileName(path);
    return file === null ? undefined : { file, path };
  }

  /** The path of an item with this text in a file of its own. */
  #pathIn(text: string, ownFile: string): string {
    const { type, path: stated } = readFrontMatter(text).values;
    const listPath = this.#types.get(String(type))?.listPath ?? null;
    return typeof stated === "string" ? stated : deriveDefaultSitePath(ownFile, listPath);
  }

  textAt({ file, path }: Place): string | null {
    return this.#linesIn(file).lines?.find((line) => line.path === path)?.text ?? null;
  }

  /** Adds a line or replaces it. @returns false if the item's text is not the expected one. */
  async put(
    ownFile: string,
    place: Place,
    { text, expected }: { text: string; expected: string | null },
  ): Promise<boolean> {
    if (this.textAt(place) !== expected) return false;
    const line = { path: place.path, line: jsonLineOfText(text, place.path) };
    const isWritten = await this.#write(place, [line]);
    if (isWritten) this.#places.set(ownFile, place);
    return isWritten;
  }

  /**
   * Replaces an item's text. If its path changes, its line moves; an item whose path is no valid file name
   * gets a file of its own. @returns false if the item's text is not the expected one.
   *
   * @throws {AppError} `conflict` if another line has the new path.
   */
  async replace(
    ownFile: string,
    place: Place,
    { text, expected }: { text: string; expected: string },
  ): Promise<boolean> {
    const path = this.#pathIn(text, ownFile);
    if (path === place.path) return await this.put(ownFile, place, { text, expected });
    if (this.textAt(place) !== expected) return false;
    const file = sharedFileName(path);
    if (file !== null && this.textAt({ file, path }) !== null) throw takenLine(path, file);
    const isWritten =
      file === null
        ? await this.#folder.write(ownFile, text, null)
        : await this.put(ownFile, { file, path }, { text, expected: null });
    return isWritten && (await this.#write(place, []));
  }

  /** Removes a line. @returns false if the item's text is not the expected one. */
  async remove(ownFile: string, place: Place, expected: string): Promise<boolean> {
    if (this.textAt(place) !== expected) return false;
    this.#places.delete(ownFile);
    return await this.#write(place, []);
  }

  /** Replaces the lines of an item in a shared file. A file that cannot be read stays unchanged. */
  async #write({ file, path }: Place, own: readonly SharedFileLineWithPath[]): Promise<boolean> {
    const { text, lines } = this.#linesIn(file);
    if (lines === null) return false;
    const others = lines.filter((line) => line.path !== path);
    const written = [...others, ...own];
    if (written.length === 0) return text === null || (await this.#folder.remove(file, text));
    const newText = formatSharedFileText(written);
    const isWritten = await this.#folder.write(file, newText, text);
    const added = readSharedLines(own.map(({ line }) => line).join("\n"), file, this.#types);
    if (isWritten && Array.isArray(added)) {
      this.#parsed.set(file, { text: newText, lines: [...others, ...added] });
    }
    return isWritten;
  }

  #linesIn(file: string): ParsedFile {
    const text = this.#folder.read(file);
    const known = this.#parsed.get(file);
    if (known !== undefined && known.text === text) return known;
    const lines = text === null ? [] : readSharedLines(text, file, this.#types);
    const parsed = { text, lines: Array.isArray(lines) ? lines : null };
    this.#parsed.set(file, parsed);
    return parsed;
  }
}

export type SharedFileLineWithPath = Pick<SharedLine, "path" | "line">;

/** The lines in the order of their paths. */
export function formatSharedFileText(lines: readonly SharedFileLineWithPath[]): string {
  return lines
    .toSorted(({ path: one }, { path: other }) => (one < other ? -1 : 1))
    .map(({ line }) => `${line}\n`)
    .join("");
}

function takenLine(path: string, file: string): AppError {
  const message = `Cannot give the item the path ${path} in ${file}: another line has it. Give one of the two items an unused path on the site, sync, and then give it the path it should have`;
  return new AppError("conflict", englishOnlyWording(message));
}

function alsoIn(path: string, ownFile: string) {
  return {
    en: `${path} has a file of its own too, ${ownFile}; remove one of them`,
    de: `${path} hat auch eine eigene Datei, ${ownFile}; entfernen Sie eines von beiden`,
  };
}
