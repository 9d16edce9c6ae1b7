import { readYaml } from "../../front-matter.ts";
import type { ReadSettings, SiteGenerator } from "../site-generator.ts";
import { relevantDefaults } from "./front-matter-defaults.ts";

type Values = Readonly<Record<string, unknown>>;

/** Endings of data files, from the weakest to the strongest. */
const DATA_ENDINGS = [
  ".json",
  ".11tydata.json",
  ...["js", "cjs", "mjs", "ts"].map((extension) => `.11tydata.${extension}`),
];
const SCRIPT = /\.11tydata\.[cm]?[jt]s$/;
const KEY_IN_SCRIPT =
  /(?<![\w.])["']?(permalink|draft|private|published|password|visibility)["']?\s*/g;
const LITERAL_VALUE = /:\s*(?:(true|false)\b|["'`]([^"'`\n]{0,200})["'`])/y;
const COMPUTED_VALUE = /[:(]/y;

/**
 * Reads default front matter from data files: `posts/posts.json` for the pages below `posts`,
 * `posts/spring.11tydata.json` for `posts/spring.md`. Deeper files take precedence. Of scripts, which are not
 * run, only literal values that hide pages are read; a script that may hide some is named in a note.
 */
export function eleventyData(
  read: ReadSettings,
  files: readonly string[],
): Pick<SiteGenerator, "defaultsOf" | "notes"> {
  const known = new Set(files);
  const byStem = new Map<string, Values>();
  const dataAt = (stem: string): Values => {
    const found = byStem.get(stem);
    if (found !== undefined) return found;
    const texts = DATA_ENDINGS.map((ending) => stem + ending).filter((file) => known.has(file));
    const values = Object.assign({}, ...texts.map((file) => valuesIn(file, read(file) ?? "")));
    byStem.set(stem, values);
    return values;
  };
  const unclear = files.filter((file) => isUnclear(file, read));
  return {
    defaultsOf: (file) => Object.assign({}, ...stemsOf(file).map(dataAt)),
    notes: unclear.map(noteOn),
  };
}

/** Data files, without their endings, that apply to a page: those of its folders, then its own. */
function stemsOf(file: string): string[] {
  const folders = file.split("/").slice(0, -1);
  return [
    ...folders.map((name, at) => [...folders.slice(0, at + 1), name].join("/")),
    file.replace(/\.\w+$/, ""),
  ];
}

function valuesIn(file: string, text: string): Values {
  // JSON is YAML too.
  return SCRIPT.test(file) ? scriptValues(text).values : relevantDefaults(readYaml(text, 0).values);
}

/** The literal values in a script that can hide pages, and whether it computes others. */
function scriptValues(text: string): { values: Values; isComputed: boolean } {
  const script = withoutComments(text);
  const values: Record<string, unknown> = {};
  let isComputed = false;
  for (const { 0: written, 1: key = "", index } of script.matchAll(KEY_IN_SCRIPT)) {
    LITERAL_VALUE.lastIndex = index + written.length;
    COMPUTED_VALUE.lastIndex = LITERAL_VALUE.lastIndex;
    const literal = LITERAL_VALUE.exec(script);
    if (literal === null) isComputed ||= COMPUTED_VALUE.test(script);
    else values[key] = literal[1] === undefined ? literal[2] : literal[1] === "true";
  }
  return { values, isComputed };
}

/** Whether a data file may hide pages, but cannot be read. */
function isUnclear(file: string, read: ReadSettings): boolean {
  if (SCRIPT.test(file)) return scriptValues(read(file) ?? "").isComputed;
  return file.endsWith(".11tydata.json") && readYaml(read(file) ?? "", 0).faults.length > 0;
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
