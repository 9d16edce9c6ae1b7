import type { Wording } from "../../../../errors.ts";
import { isRecord } from "../../item-parsing.ts";
import {
  type ForeignMenuEntry,
  listOrEmpty,
  type MenuError,
  type ParsedMenus,
  textOrNull,
} from "./foreign-menu.ts";

/** A menu entry whose position is given by its weight and the name of its parent. */
export interface WeightedEntry {
  /** BCP 47 tag; null: the main language. */
  language: string | null;
  menu: string;
  label: string | null;
  /** The names by which child entries refer to this entry. */
  names: readonly string[];
  parent: string | null;
  weight: number;
  to: string | null;
  file: string;
  line: number;
}

interface Source {
  language: string | null;
  file: string;
  line: number;
}

/** Reads an entry in Hugo's form: `name`, `url` or `pageRef`, `weight`, `identifier`, `parent`. */
export function parseHugoMenuEntry(
  menu: string,
  raw: unknown,
  source: Source,
): WeightedEntry | null {
  if (!isRecord(raw)) return null;
  const label = textOrNull(raw["name"]) ?? textOrNull(raw["title"]);
  const names = [textOrNull(raw["identifier"]), label].filter((name) => name !== null);
  const parent = textOrNull(raw["parent"]);
  const weight = Number(raw["weight"] ?? 0) || 0;
  const to = textOrNull(raw["pageRef"]) ?? textOrNull(raw["pageref"]) ?? textOrNull(raw["url"]);
  return { ...source, menu, label, names, parent, weight, to };
}

/**
 * The menu entries in a page's front matter: `menu: main`, `menus: [main]`,
 * `menu: { main: { weight: 2 } }` or `eleventyNavigation`.
 */
export function parsePageMenuEntries(
  values: Readonly<Record<string, unknown>>,
  { title, ...source }: Source & { title: string | null },
): WeightedEntry[] {
  const pageSource = { ...source, to: source.file };
  const inMenu = (menu: string, raw: unknown): WeightedEntry => {
    const entry = parseHugoMenuEntry(menu, isRecord(raw) ? raw : {}, source);
    const names = [...(entry?.names ?? []), ...(title === null ? [] : [title])];
    const { label = null, parent = null, weight = 0 } = entry ?? {};
    return { ...pageSource, menu, label, parent, weight, names };
  };
  const raw = values["menu"] ?? values["menus"];
  const eleventy = values["eleventyNavigation"];
  const eleventyEntries = isRecord(eleventy)
    ? [
        inMenu("main", {
          ...eleventy,
          name: eleventy["title"] ?? eleventy["key"],
          identifier: eleventy["key"],
          weight: eleventy["order"],
        }),
      ]
    : [];
  if (isRecord(raw))
    return [...Object.entries(raw).map(([menu, entry]) => inMenu(menu, entry)), ...eleventyEntries];
  const menus = typeof raw === "string" ? [raw] : listOrEmpty(raw);
  return [
    ...menus.flatMap((menu) => (typeof menu === "string" ? [inMenu(menu, {})] : [])),
    ...eleventyEntries,
  ];
}

/** Names that themes use for the main navigation, the most common first. */
const MAIN_MENU_NAMES: readonly string[] = [..."main primary header navbar nav top".split(" ")];
const ENTRIES_MAX = 500;

/** The main menu of each language; other menus are reported as left out. */
export function buildMainMenus(
  entries: readonly WeightedEntry[],
  { main, folders }: { main: string; folders: readonly string[] },
): ParsedMenus {
  const menus = Map.groupBy(entries, ({ menu }) => menu);
  const name = MAIN_MENU_NAMES.find((each) => menus.has(each)) ?? [...menus.keys()][0];
  const mainEntries = menus.get(name ?? "") ?? [];
  const languages = Map.groupBy(mainEntries.slice(0, ENTRIES_MAX), ({ language }) =>
    language === main ? null : language,
  );
  const faults = [...menus].flatMap(([menu, [first, ...more]]): MenuError[] => {
    if (menu === name || first === undefined) return [];
    const { file, line } = first;
    return [{ file, line, message: otherMenu(menu, more.length + 1) }];
  });
  const beyond = mainEntries[ENTRIES_MAX];
  if (beyond !== undefined) {
    const { file, line } = beyond;
    faults.push({ file, line, message: otherMenu(beyond.menu, mainEntries.length - ENTRIES_MAX) });
  }
  const trees = [...languages].map(([language, some]) => ({ language, ...treeOf(some) }));
  faults.push(...trees.flatMap(({ unplaced }) => cycleFaults(unplaced)));
  return {
    menus: trees.map(({ language, entries }) => ({ language, folders, entries })),
    faults,
  };
}

function cycleFaults(unplaced: readonly WeightedEntry[]): MenuError[] {
  const [first] = unplaced;
  if (first === undefined) return [];
  const { file, line } = first;
  const name = labelOf(first).slice(0, 100);
  const count = unplaced.length;
  const message = {
    en: `entries of the navigation whose parents form a circle are left out: ${count}, as "${name}"`,
    de: `Einträge der Navigation fehlen, weil ihre übergeordneten Einträge im Kreis führen (${count}), zum Beispiel „${name}“`,
  };
  return [{ file, line, message }];
}

function otherMenu(menu: string, count: number): Wording {
  const name = menu.slice(0, 100);
  return {
    en: `of the menu "${name}" ${count} entries are left out, as a site has one navigation here`,
    de: `aus dem Menü „${name}“ werden Einträge weggelassen (${count}), denn eine Website hat hier eine Navigation`,
  };
}

/**
 * Builds the tree of entries, sorted by weight and then by name. Entries without a weight come
 * last. `unplaced` are the entries whose parents form a cycle.
 */
function treeOf(entries: readonly WeightedEntry[]): {
  entries: ForeignMenuEntry[];
  unplaced: WeightedEntry[];
} {
  const known = new Set(entries.flatMap(({ names }) => names));
  const sorted = [...entries].sort(
    (a, b) =>
      (a.weight || Infinity) - (b.weight || Infinity) || labelOf(a).localeCompare(labelOf(b)) || 0,
  );
  const placed = new Set<WeightedEntry>();
  const branch = (entry: WeightedEntry, depth: number): ForeignMenuEntry => {
    const { label, to, file, line } = entry;
    const children = sorted.filter(
      (each) => each.parent !== null && entry.names.includes(each.parent) && !placed.has(each),
    );
    for (const child of children) placed.add(child);
    const entries = depth > DEPTH_MAX ? [] : children.map((child) => branch(child, depth + 1));
    return { label, to, file, line, entries };
  };
  const roots = sorted.filter(({ parent }) => parent === null || !known.has(parent));
  for (const root of roots) placed.add(root);
  const tree = roots.map((entry) => branch(entry, 0));
  return { entries: tree, unplaced: sorted.filter((entry) => !placed.has(entry)) };
}

/** Bounds the recursion. Menus of this service have only two levels. */
const DEPTH_MAX = 3;

function labelOf({ label, names }: WeightedEntry): string {
  return label ?? names[0] ?? "";
}
