import { parseYamlMapping } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import { parseToml } from "../../toml.ts";
import type { ReadSettingsFile } from "../site-generator.ts";
import { listOrEmpty } from "./foreign-menu.ts";
import { parseHugoMenuEntry, type WeightedEntry } from "./weighted-entries.ts";

type Settings = Readonly<Record<string, unknown>>;

interface SettingsFile {
  file: string;
  values: Settings;
  lineOf: (path: readonly string[]) => number;
}

const CONFIG_EXTENSIONS = ["toml", "yaml", "yml", "json"] as const;
const CONFIG_FOLDERS = ["", "config/_default/"] as const;

/**
 * The entries of all menus in Hugo's settings: under `menu` or `menus`, at the top level and for
 * each language.
 *
 * @param knownLanguages languages to look for even if the settings do not name them.
 */
export function readHugoMenuEntries(
  read: ReadSettingsFile,
  knownLanguages: readonly string[],
): WeightedEntry[] {
  const languages = [null, ...new Set([...knownLanguages, ...languagesIn(read)])];
  return CONFIG_FOLDERS.flatMap((folder) => [
    ...filesNamed(["hugo", "config"], folder, read).flatMap(entriesInSettings),
    ...languages.flatMap((language) => {
      const suffix = language === null ? "" : `.${language}`;
      return filesNamed([`menus${suffix}`, `menu${suffix}`], folder, read).flatMap((file) =>
        entriesIn(file.values, { ...file, language, path: [] }),
      );
    }),
    ...filesNamed(["languages"], folder, read).flatMap((file) =>
      entriesOfLanguages(file.values, { ...file, path: [] }),
    ),
  ]);
}

function filesNamed(
  names: readonly string[],
  folder: string,
  read: ReadSettingsFile,
): SettingsFile[] {
  return names.flatMap((name) => filesAt(folder + name, read));
}

function languagesIn(read: ReadSettingsFile): string[] {
  return CONFIG_FOLDERS.flatMap((folder) => [
    ...filesNamed(["hugo", "config"], folder, read).flatMap(({ values: { languages } }) =>
      Object.keys(isRecord(languages) ? languages : {}),
    ),
    ...filesNamed(["languages"], folder, read).flatMap(({ values }) => Object.keys(values)),
  ]);
}

function entriesInSettings(file: SettingsFile): WeightedEntry[] {
  const { languages } = file.values;
  return [
    ...entriesUnderKeys(file.values, { ...file, language: null, path: [] }),
    ...(isRecord(languages) ? entriesOfLanguages(languages, { ...file, path: ["languages"] }) : []),
  ];
}

function entriesOfLanguages(
  languages: Settings,
  file: SettingsFile & { path: readonly string[] },
): WeightedEntry[] {
  return Object.entries(languages).flatMap(([language, settings]) => {
    const path = [...file.path, language];
    return isRecord(settings) ? entriesUnderKeys(settings, { ...file, language, path }) : [];
  });
}

type MenuPlace = SettingsFile & { language: string | null; path: readonly string[] };

function entriesUnderKeys(settings: Settings, place: MenuPlace): WeightedEntry[] {
  return ["menu", "menus"].flatMap((key) => {
    const raw = settings[key];
    return isRecord(raw) ? entriesIn(raw, { ...place, path: [...place.path, key] }) : [];
  });
}

function entriesIn(menus: Settings, { file, lineOf, language, path }: MenuPlace): WeightedEntry[] {
  return Object.entries(menus).flatMap(([menu, entries]) =>
    listOrEmpty(entries).flatMap((raw, at) => {
      const line = lineOf([...path, menu, String(at)]);
      return parseHugoMenuEntry(menu, raw, { language, file, line }) ?? [];
    }),
  );
}

function filesAt(name: string, read: ReadSettingsFile): SettingsFile[] {
  return CONFIG_EXTENSIONS.flatMap((ending): SettingsFile[] => {
    const file = `${name}.${ending}`;
    const text = read(file);
    if (text === null) return [];
    if (ending !== "toml") return [{ file, ...parseYamlMapping(text, 0) }];
    const raw = parseToml(text);
    if ("fault" in raw) return [];
    return [{ file, values: raw.values, lineOf: tomlLines(text, raw.lines) }];
  });
}

/**
 * Returns a function that finds the line of a menu entry by its path. For the path `menu.main.2`, returns the
 * line of the third `[[menu.main]]`, or else the line of the key `menu`.
 */
function tomlLines(text: string, lines: ReadonlyMap<string, number>) {
  const headerLines = new Map<string, number[]>();
  for (const [at, line] of text.split("\n").entries()) {
    const name = /^[ \t]*\[\[([^[\]]{1,200})\]\]/.exec(line)?.[1]?.replaceAll(/[\s"']/g, "");
    if (name === undefined) continue;
    const known = headerLines.get(name);
    if (known === undefined) headerLines.set(name, [at + 1]);
    else known.push(at + 1);
  }
  return (path: readonly string[]) => {
    const position = Number(path.at(-1));
    const name = path.slice(0, -1).join(".");
    return headerLines.get(name)?.[position] ?? lines.get(path[0] ?? "") ?? 1;
  };
}
