import type { Wording } from "../../../../errors.ts";

/** An entry in the navigation of another site generator. */
export interface ForeignMenuEntry {
  /** The text of the entry; null: the title of the page is used. */
  label: string | null;
  /** The target as written: a file of the folder or an address; null: the entry is only a heading. */
  to: string | null;
  /** The file that contains the entry, relative to the site generator's own folder. */
  file: string;
  line: number;
  entries: readonly ForeignMenuEntry[];
}

/** The main navigation of a folder, in one language. */
export interface ForeignMenu {
  /** BCP 47 tag; null: the main language. */
  language: string | null;
  /**
   * The folders to search, in this order, for the files that entries name. Relative to the site
   * generator's own folder.
   */
  folders: readonly string[];
  entries: readonly ForeignMenuEntry[];
}

/** A part of a navigation that cannot be imported, and why. */
export interface MenuError {
  file: string;
  line: number;
  message: Wording;
}

export interface ParsedMenus {
  menus: readonly ForeignMenu[];
  faults: readonly MenuError[];
}

export const NO_MENUS: ParsedMenus = { menus: [], faults: [] };

export function textOrNull(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

/** Limits lists, which YAML aliases can make very long. No real navigation has this many entries. */
const ENTRIES_MAX = 500;

export function listOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, ENTRIES_MAX) : [];
}
