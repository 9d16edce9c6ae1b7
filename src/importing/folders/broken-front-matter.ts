import type { ParsedItem } from "../../content/import/parsed-item.ts";
import type { MarkdownFileContent } from "../../content/import/parsing/markdown-file-content.ts";
import type { ContentRecord } from "../../content/record.ts";

/**
 * Turns a file for another site generator into a draft if its front matter cannot be read, so that the text
 * is not lost. Null: the front matter can be read, the file has no text, or an existing item has the file's
 * path. The existing item stays unchanged.
 */
export async function draftFromBrokenFile(
  markdown: MarkdownFileContent,
  path: string | undefined,
  record: Pick<ContentRecord, "itemAt">,
): Promise<MarkdownFileContent | null> {
  const { adapted, faults, body, isConverted, values } = markdown;
  const isBroken = adapted !== null && adapted.skipped === null && faults.length > 0;
  if (!isBroken || isConverted || body.trim() === "" || path === undefined) return null;
  const present = await record.itemAt(path);
  if (present !== null && present.status !== "deleted") return null;
  return { ...markdown, faults: [], values: { ...values, draft: true } };
}

/** Reports that only the text of a file is imported, without its front matter. */
export function withFrontMatterLossNotice(
  parsed: ParsedItem,
  { faults }: MarkdownFileContent,
): ParsedItem {
  const lost = faults.map(({ line, message: { en, de } }) => ({
    line,
    field: "",
    message: {
      en: `${en}; the text is a draft now, without the front matter: correct the file and import it again, or complete the draft`,
      de: `${de}; der Text ist jetzt ein Entwurf, ohne die Angaben darüber: Berichtigen Sie die Datei und importieren Sie sie noch einmal, oder ergänzen Sie den Entwurf`,
    },
    severity: "error" as const,
  }));
  return { ...parsed, problems: [...lost, ...parsed.problems] };
}
