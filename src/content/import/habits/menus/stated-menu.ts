import type { Wording } from "../../../../errors.ts";

/** An entry of the navigation that the settings of another program state. */
export interface StatedEntry {
  /** Null: the title of the page. */
  label: string | null;
  /** A file of the folder or an address, as written; null: only a heading. */
  to: string | null;
  /** Relative to the program's own folder. */
  file: string;
  line: number;
  entries: readonly StatedEntry[];
}

/** The main navigation that a folder states. */
export interface StatedMenu {
  /** BCP 47; null: that of the main language. */
  language: string | null;
  /** The folders that files are named in, relative to the program's own; the first that has it. */
  folders: readonly string[];
  entries: readonly StatedEntry[];
}

/** Something about a navigation that cannot be taken over. */
export interface MenuFault {
  file: string;
  line: number;
  message: Wording;
}

export interface ReadMenus {
  menus: readonly StatedMenu[];
  faults: readonly MenuFault[];
}

export const NO_MENUS: ReadMenus = { menus: [], faults: [] };

export function textIn(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

/** Far more than a navigation has; a list that is repeated by reference may be very long. */
const ENTRIES_MAX = 500;

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, ENTRIES_MAX) : [];
}
