import type { Wording } from "../../../errors.ts";
import type { BodyWithRewrittenLinks } from "../markdown-links.ts";
import type { ImportProblem } from "../parsed-item.ts";
import type { MarkdownFileContent } from "./markdown-file-content.ts";

/** A warning for each link to a file that the import lacks or does not take. */
export function warnAboutBrokenLinks(
  broken: BodyWithRewrittenLinks["broken"],
  { linesBefore, isConverted, adapted }: MarkdownFileContent,
): ImportProblem[] {
  return broken.map(({ link, line, fault }) => ({
    line: linesBefore + (isConverted ? 1 : line - (adapted?.linesAdded ?? 0)),
    field: "body",
    message: fault === null ? brokenFileLink(link) : fileNotImported(link, fault),
    severity: "warning",
  }));
}

function brokenFileLink(link: string): Wording {
  return {
    en: `the link "${link}" leads to no file of this import`,
    de: `der Link „${link}“ führt zu keiner Datei dieses Imports`,
  };
}

function fileNotImported(link: string, { en, de }: Wording): Wording {
  return {
    en: `the file behind "${link}" is not imported: ${en}`,
    de: `die Datei hinter „${link}“ wird nicht übernommen: ${de}`,
  };
}

/** Warnings about what the conversion of a file lost or could not read. */
export function conversionWarnings({
  adapted,
  repeated,
  losses,
  lineOf,
  linesBefore,
}: MarkdownFileContent): ImportProblem[] {
  const line = linesBefore + 1;
  const lost = losses.map((message) => importWarning({ line, field: "body" }, message));
  if (adapted === null) return lost;
  const duplicateKeys = repeated.map(({ line }) =>
    importWarning({ line, field: "" }, DUPLICATE_KEY),
  );
  const notes = adapted.notes.map((note) => {
    const isOfKey = "key" in note;
    const line = isOfKey ? lineOf([note.key]) : note.bodyLine + linesBefore;
    return importWarning({ line, field: isOfKey ? note.key : "body" }, note.message);
  });
  return [...lost, ...duplicateKeys, ...notes];
}

/** A problem that does not keep the item from being imported. */
export function importWarning(
  place: Pick<ImportProblem, "line" | "field">,
  message: Wording,
): ImportProblem {
  return { ...place, message, severity: "warning" };
}

const DUPLICATE_KEY: Wording = {
  en: "this key occurs twice; the last one counts",
  de: "diese Angabe steht zweimal da; die letzte zählt",
};
