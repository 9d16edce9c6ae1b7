import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import { avoidReservedPath, deriveSitePath, titleOfFile } from "../../content/import/file-path.ts";
import type { MarkdownFileContent } from "../../content/import/parsing/markdown-file-content.ts";
import type { InputWithPath } from "../../content/import/type-and-path.ts";

export interface SectionEntry {
  folder: string;
  path: string;
  title: string;
  weight: number;
}

interface Section {
  /** Path of the section's folder, relative to the imported folder. */
  file: string;
  path: string;
  title: string;
  language: string | null;
  /** The path of the same section in the main language; null: this section is in that language. */
  original: string | null;
  entries: SectionEntry[];
}

/** A page that lists the pages of a section. */
export interface SectionPage extends Omit<Section, "entries" | "original"> {
  translationOf: string | null;
  entries: readonly SectionEntry[];
}

/** Limit of pages in a list. Site generators paginate longer lists. */
const ENTRIES_MAX = 500;

/** The sections of a folder whose site generator lists the pages of each top-level folder. */
export class FolderSections {
  readonly #sections = new Map<string, Section>();
  /**
   * Folders with an index page that already lists the pages of the folder. The page of a section omits the
   * pages of these folders.
   */
  readonly #indexed = new Set<string>();
  readonly #pages = new Set<string>();

  add(
    { file, values, adapted }: MarkdownFileContent,
    conventions: FolderConventions | null,
    { input: { type, path, title }, isNotPublic }: { input: InputWithPath; isNotPublic: boolean },
  ): void {
    const place = adapted?.place ?? null;
    if (isNotPublic || place === null || conventions?.generator.listsSections !== true) return;
    if (type === "page") this.#pages.add(path);
    const parts = place.sitePath.slice(place.prefix.length).split("/");
    const name = parts.pop() ?? "";
    const [top] = parts;
    const { termFolders = {} } = conventions.generator;
    if (top === undefined || Object.values(termFolders).flat().includes(top)) return;
    const key = place.prefix + top;
    const sectionPath = deriveSitePath(`${key}/_index.md`);
    const original = conventions.languages.fallbackOf(sectionPath);
    const section = this.#sections.get(key) ?? {
      file: file.split("/").slice(0, -parts.length).join("/"),
      path: avoidReservedPath(sectionPath),
      title: titleOfFile(`${top}/_index.md`),
      language: place.language,
      original: original === null ? null : avoidReservedPath(original),
      entries: [],
    };
    this.#sections.set(key, section);
    if (name.startsWith("_index.")) this.#indexed.add(place.prefix + parts.join("/"));
    const isFolder = /^_?index\./.test(name);
    const folder = place.prefix + (isFolder ? parts.slice(0, -1) : parts).join("/");
    const weight = Number(values["weight"] ?? 0) || Infinity;
    section.entries.push({ folder, path, title, weight });
  }

  /**
   * Generates a page for each section whose path is not taken, sections in the main language first.
   */
  pages(isTaken: (path: string) => boolean): SectionPage[] {
    const free = [...this.#sections].filter(([, { path }]) => !isTaken(path));
    const known = new Set([...this.#pages, ...free.map(([, { path }]) => path)]);
    return free
      .map(([key, { original, entries, ...section }]) => ({
        ...section,
        translationOf: original !== null && known.has(original) ? original : null,
        entries: entries
          .filter(({ folder }) => this.#isDirectlyIn(key, folder))
          .sort((a, b) => a.weight - b.weight || a.title.localeCompare(b.title))
          .slice(0, ENTRIES_MAX),
      }))
      .sort((a, b) => Number(a.translationOf !== null) - Number(b.translationOf !== null));
  }

  #isDirectlyIn(section: string, folder: string): boolean {
    for (let at = folder; at.length > section.length; at = at.slice(0, at.lastIndexOf("/")))
      if (this.#indexed.has(at)) return false;
    return true;
  }
}
