import { parseYamlMapping } from "../../front-matter.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { pickDefaultsUsedByImport } from "./front-matter-defaults.ts";

type Values = Readonly<Record<string, unknown>>;

/** Extensions of data files. Later extensions in the list take precedence. */
const DATA_ENDINGS = [
  ".json",
  ".11tydata.json",
  ...["js", "cjs", "mjs", "ts"].map((extension) => `.11tydata.${extension}`),
];
/** Matches files whose extension alone shows that they are data files. */
const OWN_ENDING = /\.11tydata\.(?:json|[cm]?[jt]s)$/;
const SCRIPT = /\.11tydata\.[cm]?[jt]s$/;
const KEY_IN_SCRIPT =
  /(?<![\w.])["']?(permalink|draft|private|published|password|visibility)["']?\s*/g;
const LITERAL_VALUE = /:\s*(?:(true|false)\b|["'`]([^"'`\n]{0,200})["'`])/y;
const COMPUTED_VALUE = /[:(]/y;

/**
 * Reads default front matter from data files: `posts/posts.json` for the pages below `posts`, and
 * `posts/spring.11tydata.json` for `posts/spring.md`. Deeper files take precedence. Scripts are not run.
 * From a script, only settings that hide pages are read, and only if they are literals. If a script may
 * compute such a setting, a note names the script.
 */
export function readEleventyFrontMatterDefaults(
  read: ReadSettingsFile,
  files: readonly string[],
): Pick<SiteGenerator, "defaultsOf" | "notes"> {
  const known = new Set(files);
  const byFile = new Map<string, DataFile>();
  const dataIn = (file: string): DataFile => {
    const data = byFile.get(file) ?? readDataFile(file, read(file) ?? "");
    byFile.set(file, data);
    return data;
  };
  const byStem = new Map<string, Values>();
  const valuesAt = (stem: string): Values => {
    const found = byStem.get(stem);
    if (found !== undefined) return found;
    const present = DATA_ENDINGS.map((ending) => stem + ending).filter((file) => known.has(file));
    const values = Object.assign({}, ...present.map((file) => dataIn(file).values));
    byStem.set(stem, values);
    return values;
  };
  const unclear = files.filter((file) => OWN_ENDING.test(file) && dataIn(file).isUnclear);
  return {
    defaultsOf: (file) => Object.assign({}, ...stemsOf(file).map(valuesAt)),
    notes: unclear.map(noteOn),
  };
}

interface DataFile {
  values: Values;
  /** Whether the file may hide pages with values that cannot be read. */
  isUnclear: boolean;
}

/**
 * Paths, without extensions, of the data files for a page: first those of the page's folders, then the page's
 * own.
 */
function stemsOf(file: string): string[] {
  const folders = file.split("/").slice(0, -1);
  return [
    ...folders.map((name, at) => [...folders.slice(0, at + 1), name].join("/")),
    file.replace(/\.\w+$/, ""),
  ];
}

function readDataFile(file: string, text: string): DataFile {
  if (SCRIPT.test(file)) return readScript(text);
  // The YAML parser also reads JSON.
  const { values, faults } = parseYamlMapping(text, 0);
  return { values: pickDefaultsUsedByImport(values), isUnclear: faults.length > 0 };
}

/**
 * Reads from a script the literal values that can hide pages. `isUnclear`: the script may compute such
 * values.
 */
function readScript(text: string): DataFile {
  const script = withoutComments(text);
  const values: Record<string, unknown> = {};
  let isUnclear = false;
  for (const { 0: written, 1: key = "", index } of script.matchAll(KEY_IN_SCRIPT)) {
    LITERAL_VALUE.lastIndex = index + written.length;
    COMPUTED_VALUE.lastIndex = LITERAL_VALUE.lastIndex;
    const literal = LITERAL_VALUE.exec(script);
    if (literal === null) isUnclear ||= COMPUTED_VALUE.test(script);
    else values[key] = literal[1] === undefined ? literal[2] : literal[1] === "true";
  }
  return { values, isUnclear };
}

function withoutComments(script: string): string {
  return script.replaceAll(/\/\*[\s\S]{0,2000}?\*\/|^\s*\/\/[^\n]*/gm, "");
}

function noteOn(file: string) {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf("/")));
  return {
    en: `${file} cannot be read and may hide pages in "${folder}": check what is public there`,
    de: `${file} lässt sich nicht lesen und verbirgt vielleicht Seiten in „${folder}“: Prüfen Sie, was dort öffentlich ist`,
  };
}
