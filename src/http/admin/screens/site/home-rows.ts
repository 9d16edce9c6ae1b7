import type { HomeBlock } from "../../../../content/site/home-blocks.ts";
import type { SentValues } from "../../../site/sent-form.ts";

type BlockKind = HomeBlock["show"];

type RowField = "markdown" | "title" | "paths" | "type" | "items";

/** The fields that an editor fills in for each kind of home page block. */
export const FIELDS_BY_BLOCK_KIND: Readonly<Record<BlockKind, readonly RowField[]>> = {
  introduction: [],
  text: ["markdown"],
  items: ["title", "paths"],
  search: [],
  quotation_of_the_day: [],
  newest: ["type", "items"],
  upcoming: ["type", "items"],
  best: ["type", "items"],
  sections: [],
  samples: [],
  purpose: [],
};

/** A block of the home page, as the form shows and sends it. */
export interface HomeRow {
  show: BlockKind;
  markdown: string;
  title: string;
  /** The chosen pages. */
  paths: readonly string[];
  /** Names of pages to add, as typed, one per line. */
  names: string;
  type: string;
  items: string;
}

const NEW_LIST_ITEMS = "5";

export function isBlockKind(text: string): text is BlockKind {
  return Object.hasOwn(FIELDS_BY_BLOCK_KIND, text);
}

export function createEmptyHomeRow(show: BlockKind): HomeRow {
  return {
    ...{ show, markdown: "", title: "", paths: [], names: "", type: "" },
    items: NEW_LIST_ITEMS,
  };
}

export function homeRowFromBlock(block: HomeBlock): HomeRow {
  const empty = createEmptyHomeRow(block.show);
  switch (block.show) {
    case "text":
      return { ...empty, markdown: block.markdown };
    case "items":
      return { ...empty, title: block.title, paths: block.paths };
    case "newest":
    case "best":
    case "upcoming":
      return { ...empty, type: block.type, items: String(block.items) };
    default:
      return empty;
  }
}

/** Converts a row to the format of `home` in the settings. */
export function homeBlockFromRow({ show, ...typed }: HomeRow): Readonly<Record<string, unknown>> {
  const values = { ...typed, items: Number(typed.items) };
  return {
    show,
    ...Object.fromEntries(FIELDS_BY_BLOCK_KIND[show].map((field) => [field, values[field]])),
  };
}

export function homeFieldName(language: string, at: number, part: string): string {
  return `${language}.${at}.${part}`;
}

/** Reads the rows of an edition from the form. Picked pages are ids or paths. */
export function homeRowsFromForm(form: SentValues, language: string): HomeRow[] {
  const rows: HomeRow[] = [];
  for (;;) {
    const at = rows.length;
    const value = (part: string) => form.value(homeFieldName(language, at, part)).trim();
    const show = value("show");
    if (!isBlockKind(show)) return rows;
    const paths = homeFieldName(language, at, "paths");
    rows.push({
      ...{ show, markdown: value("markdown"), title: value("title"), type: value("type") },
      ...{ paths: form.values(`r.${paths}`), names: form.value(`a.${paths}`).trim() },
      items: value("items"),
    });
  }
}

export const HOME_ROW_ACTIONS = ["up", "down", "remove"] as const;
export type HomeRowAction = (typeof HOME_ROW_ACTIONS)[number];

/** Moves or removes a row. Returns the rows, and the index of the row that gets the focus. */
export function applyHomeRowAction(
  rows: readonly HomeRow[],
  at: number,
  move: HomeRowAction,
): { rows: readonly HomeRow[]; at: number } {
  const row = rows[at];
  if (row === undefined) return { rows, at };
  const rest = rows.toSpliced(at, 1);
  if (move === "remove") return { rows: rest, at: Math.min(at, rest.length - 1) };
  const to = Math.max(0, Math.min(rest.length, move === "up" ? at - 1 : at + 1));
  return { rows: rest.toSpliced(to, 0, row), at: to };
}
