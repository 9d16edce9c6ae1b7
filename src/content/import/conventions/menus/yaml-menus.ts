import { parseYamlMapping } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { parseMkdocsContentFolder, readMkdocsSettingsFile } from "../settings/mkdocs-settings.ts";
import type { ReadSettingsFile } from "../site-generator.ts";
import {
  type ForeignMenuEntry,
  listOrEmpty,
  NO_MENUS,
  type ParsedMenus,
  textOrNull,
} from "./foreign-menu.ts";

type LineOf = (path: readonly string[]) => number;

/**
 * Reads the `nav` of MkDocs. Its entries have the forms `file`, `Title: file` and `Title: [entries]`. Files
 * are relative to `docs_dir`.
 */
export function readMkdocsMenus(read: ReadSettingsFile): ParsedMenus {
  const settings = readMkdocsSettingsFile(read);
  if (settings === null) return NO_MENUS;
  const { file, text } = settings;
  const { values, lineOf } = parseYamlMapping(text, 0);
  const entries = listOrEmpty(values["nav"]).flatMap((raw, at) =>
    mkdocsEntry(raw, { file, lineOf, path: ["nav", String(at)] }),
  );
  const folder = parseMkdocsContentFolder(values["docs_dir"]);
  return { menus: [{ language: null, folders: [folder], entries }], faults: [] };
}

interface MenuSource {
  file: string;
  lineOf: LineOf;
  path: readonly string[];
}

function mkdocsEntry(raw: unknown, { file, lineOf, path }: MenuSource): ForeignMenuEntry[] {
  const line = lineOf(path);
  const target = textOrNull(raw);
  if (target !== null) return [{ label: null, to: target, file, line, entries: [] }];
  return Object.entries(isRecord(raw) ? raw : {}).map(([label, value]) => ({
    ...{ label, to: textOrNull(value), file, line },
    entries: listOrEmpty(value).flatMap((each, at) =>
      mkdocsEntry(each, { file, lineOf, path: [...path, label, String(at)] }),
    ),
  }));
}

const NAVIGATION_FILES = ["_data/navigation.yml", "_data/navigation.yaml"] as const;
const CONFIG_FILES = ["_config.yml", "_config.yaml"] as const;

/** Reads the entries of `_data/navigation.yml`, or else `header_pages` in Jekyll's settings. */
export function readJekyllMenus(read: ReadSettingsFile): ParsedMenus {
  const file = NAVIGATION_FILES.find((name) => read(name) !== null);
  const found = file === undefined ? [] : dataEntries(file, read(file) ?? "");
  const entries = found.length > 0 ? found : headerPages(read);
  return { menus: [{ language: null, folders: [""], entries }], faults: [] };
}

/**
 * The entries of a data file: the list at the top level, the list under `main`, or else the list under the
 * first key.
 */
function dataEntries(file: string, text: string): ForeignMenuEntry[] {
  const isList = /^(?:---[ \t]*\n)?(?:[ \t]*(?:#[^\n]*)?\n)*-[ \t]/.test(text);
  const { values, lineOf } = isList
    ? parseYamlMapping(`main:\n${text.replace(/^---[ \t]*\n/, "\n")}`, -1)
    : parseYamlMapping(text, 0);
  const key = isList || Array.isArray(values["main"]) ? "main" : Object.keys(values)[0];
  return key === undefined ? [] : dataList(values[key], { file, lineOf, path: [key] });
}

const CHILD_KEYS = ["children", "sublinks", "subnav", "submenu", "items"] as const;

function dataList(raw: unknown, { file, lineOf, path }: MenuSource): ForeignMenuEntry[] {
  return listOrEmpty(raw).flatMap((entry, at) => {
    if (!isRecord(entry)) return [];
    const place = [...path, String(at)];
    const childKey = CHILD_KEYS.find((key) => Array.isArray(entry[key])) ?? "children";
    const entries =
      path.length > 5
        ? []
        : dataList(entry[childKey], { file, lineOf, path: [...place, childKey] });
    const label = textOrNull(entry["title"]) ?? textOrNull(entry["name"]);
    const to = textOrNull(entry["url"]) ?? textOrNull(entry["link"]) ?? textOrNull(entry["href"]);
    const isEmpty = label === null && to === null;
    return isEmpty ? [] : [{ label, to, file, line: lineOf(place), entries }];
  });
}

function headerPages(read: ReadSettingsFile): ForeignMenuEntry[] {
  const file = CONFIG_FILES.find((name) => read(name) !== null);
  if (file === undefined) return [];
  const { values, lineOf } = parseYamlMapping(read(file) ?? "", 0);
  return listOrEmpty(values["header_pages"]).flatMap((page, at) => {
    const line = lineOf(["header_pages", String(at)]);
    return typeof page === "string" ? [{ label: null, to: page, file, line, entries: [] }] : [];
  });
}
