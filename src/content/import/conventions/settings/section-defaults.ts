import { readFrontMatter } from "../../front-matter.ts";
import { isRecord } from "../../item-parsing.ts";
import type { ReadSettingsFile, SiteGenerator } from "../site-generator.ts";
import { pickDefaultsUsedByImport } from "./front-matter-defaults.ts";
import { createGlobMatcher } from "./globs.ts";

type Values = Readonly<Record<string, unknown>>;

/** Front matter that Hugo passes to pages below a section, or to all pages. */
interface Cascade {
  /** Ends with a slash; empty: the whole site. */
  folder: string;
  values: Values;
  isFor: (file: string) => boolean;
}

/** With more cascades, all pages become drafts: comparing each page with each cascade would take minutes. */
const CASCADES_MAX = 1000;
const SECTION_FILE = /(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/;

/**
 * Default front matter from `cascade` (https://gohugo.io/configuration/cascade/), in the settings and in the
 * `_index.md` of sections. Deeper sections take precedence.
 *
 * @param pathOf the path of a file on the site.
 */
export function parseHugoFrontMatterDefaults(
  raw: unknown,
  sections: readonly { folder: string; values: Values }[],
  pathOf: (file: string) => string,
): NonNullable<SiteGenerator["defaultsOf"]> {
  const stated = [raw, ...sections.map(({ values }) => values["cascade"])];
  if (stated.flatMap((each) => each ?? []).length > CASCADES_MAX) return () => ({ draft: true });
  const cascades = [
    ...cascadesIn(raw, { folder: "", pathOf }),
    ...sections
      .toSorted((a, b) => a.folder.length - b.folder.length)
      .flatMap(({ folder, values }) => cascadesIn(values["cascade"], { folder, pathOf })),
  ];
  return (file) => {
    const given = cascades.filter(({ folder, isFor }) => file.startsWith(folder) && isFor(file));
    return Object.assign({}, ...given.map(({ values }) => values));
  };
}

/** Returns each section's folder, ending with a slash, and its front matter. */
export function frontMatterOfSections(read: ReadSettingsFile, files: readonly string[]) {
  return files
    .filter((file) => SECTION_FILE.test(file))
    .map((file) => ({
      folder: file.replace(/[^/]*$/, ""),
      values: readFrontMatter(read(file) ?? "").values,
    }));
}

/**
 * Reads one cascade or a list of them. Conditions other than path and kind are ignored: it is better to hide
 * too much than to publish by mistake.
 */
function cascadesIn(
  raw: unknown,
  { folder, pathOf }: { folder: string; pathOf: (file: string) => string },
): Cascade[] {
  const listed = [raw ?? []].flat().filter(isRecord);
  // Hugo uses the first match, but here later values override earlier ones, so the order is
  // reversed.
  return listed.toReversed().map(({ target, _target, ...values }) => {
    const { path, kind } = [target, _target].find(isRecord) ?? {};
    const isOfPath = globTest(path);
    const isOfKind = globTest(kind);
    return {
      folder,
      values: pickDefaultsUsedByImport(values),
      isFor: (file) => isOfPath(pagePath(pathOf(file))) && isOfKind(kindOf(pathOf(file))),
    };
  });
}

function globTest(glob: unknown): (text: string) => boolean {
  return typeof glob === "string" ? createGlobMatcher([glob.toLowerCase()]) : () => true;
}

/** Hugo's path of a page: `Members/_index.de.md` → `members`. */
function pagePath(place: string): string {
  return place
    .toLowerCase()
    .replace(/(?:\.[a-z]{2}(?:-\w+)?)?\.\w+$/, "")
    .replace(/(?:^|\/)_?index$/, "");
}

function kindOf(place: string): string {
  if (!SECTION_FILE.test(place)) return "page";
  return place.includes("/") ? "section" : "home";
}
