import type { LeftOut } from "../content/import/wordpress/wordpress-plan.ts";
import type { Wording } from "../errors.ts";
import type { ImportFiles } from "./import-files.ts";

/** Extensions of formats that probably contain text but cannot be imported. */
const TEXT_ENDINGS: ReadonlySet<string> = new Set(
  ".rst .adoc .asciidoc .org .textile .odt .doc .rtf .xls .ods".split(" "),
);

/**
 * Whether files with this extension look like content, so that leaving them out must be reported.
 */
export function looksLikeText(extension: string): boolean {
  return TEXT_ENDINGS.has(extension);
}

/**
 * Counts, by extension, the files that were neither imported nor used in a text.
 *
 * @param publishedCounts number of published files by extension.
 */
export function filesLeftOut(
  sources: readonly Pick<ImportFiles, "leftOut">[],
  publishedCounts: ReadonlyMap<string, number>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [extension, count] of sources.flatMap(({ leftOut }) => [...leftOut])) {
    counts.set(extension, (counts.get(extension) ?? 0) + count);
  }
  for (const [extension, count] of publishedCounts) {
    const rest = (counts.get(extension) ?? 0) - count;
    if (rest > 0) counts.set(extension, rest);
    else counts.delete(extension);
  }
  return counts;
}

/** Advice for texts in formats that cannot be imported. */
export const HOW_TO_CONVERT: Wording = {
  en: "convert them to Markdown first, for example with pandoc: pandoc -s page.rst -t gfm -o page.md",
  de: "wandeln Sie sie zuerst in Markdown um, zum Beispiel mit pandoc: pandoc -s seite.rst -t gfm -o seite.md",
};
const UNREAD_FILES: Wording = {
  en: `texts of this form are not read here; ${HOW_TO_CONVERT.en}`,
  de: `Texte in dieser Form werden hier nicht gelesen; ${HOW_TO_CONVERT.de}`,
};
const UNUSED_FILES: Wording = { en: "no text shows them", de: "kein Text zeigt sie" };

/** The counts by extension as entries of a report. */
export function filesAsLeftOut(counts: ReadonlyMap<string, number>): LeftOut[] {
  return [...counts].map(([extension, count]) => {
    const isContent = looksLikeText(extension);
    const reason = isContent ? UNREAD_FILES : UNUSED_FILES;
    const what = { en: `files (${extension})`, de: `Dateien (${extension})` };
    return { what, count, reason, isContent };
  });
}
