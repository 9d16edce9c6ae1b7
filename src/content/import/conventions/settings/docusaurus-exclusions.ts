import { parseLiteralAt, type ScriptLiteral } from "../menus/script-literal.ts";
import { createGlobMatcher } from "./globs.ts";

interface Part {
  folder: string;
  isExcluded: (path: string) => boolean;
}

const DEFAULT_FOLDERS = { docs: "docs", blog: "blog", pages: "src/pages" } as const;
const OCCURRENCES_MAX = 20;
/** Folders with other versions and translations of the documents. */
const OTHER_DOCUMENTS =
  /^(?:versioned_docs\/[^/]+|i18n\/[^/]+\/docusaurus-plugin-content-docs\/[^/]+|\.\.\/docs)\//;

/**
 * Returns a function that checks whether Docusaurus' settings exclude a file: by `exclude` in the options of
 * documents, posts, pages or plugins.
 */
export function createDocusaurusExclusionMatcher(settings: string): (file: string) => boolean {
  const parts = [
    ...Object.entries(DEFAULT_FOLDERS).flatMap(([name, folder]) =>
      literalsAfter(name, settings).flatMap((options) => partOf(options, folder)),
    ),
    ...literalsAfter("plugins", settings)
      .flatMap(valuesIn)
      .flatMap(valuesIn)
      .flatMap((options) => partOf(options, "")),
  ];
  return (file) => {
    const original = file.replace(OTHER_DOCUMENTS, "docs/");
    return parts.some(({ folder, isExcluded }) =>
      [file, original].some(
        (each) => each.startsWith(`${folder}/`) && isExcluded(each.slice(folder.length + 1)),
      ),
    );
  };
}

/** Returns the string literals in the lists under a key of the settings. */
export function findStringsUnderKey(key: string, settings: string): string[] {
  return literalsAfter(key, settings).flatMap(textsIn);
}

function literalsAfter(key: string, settings: string): ScriptLiteral[] {
  const found = [...settings.matchAll(new RegExp(`\\b${key}["']?:`, "g"))];
  return found
    .slice(0, OCCURRENCES_MAX)
    .map(({ 0: written, index }) => parseLiteralAt(settings, index + written.length));
}

function partOf(options: ScriptLiteral, defaultFolder: string): Part[] {
  if (options.kind !== "object") return [];
  const { values } = options;
  const path = values.get("path");
  const folder = path?.kind === "text" ? path.text.replace(/^\.?\/|\/$/g, "") : defaultFolder;
  const exclude = values.get("exclude");
  return exclude === undefined || folder === ""
    ? []
    : [{ folder, isExcluded: createGlobMatcher(textsIn(exclude)) }];
}

function textsIn(literal: ScriptLiteral): string[] {
  const values = literal.kind === "list" ? literal.values : [literal];
  return values.flatMap((each) => (each.kind === "text" ? [each.text] : []));
}

function valuesIn(literal: ScriptLiteral): readonly ScriptLiteral[] {
  return literal.kind === "list" ? literal.values : [];
}
