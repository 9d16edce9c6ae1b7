import type { MarkdownText } from "../../content/import/markdown-file.ts";
import type { ParsedItem } from "../../content/import/parsed-item.ts";
import type { ContentRecord } from "../../content/record.ts";

/**
 * The text of a file of another program whose front matter cannot be read, as a draft, so that it
 * is not lost; null: its front matter can be read, it has no text, or its page is here already,
 * which stays as it is.
 */
export async function textAsDraft(
  markdown: MarkdownText,
  path: string | undefined,
  record: Pick<ContentRecord, "itemAt">,
): Promise<MarkdownText | null> {
  const { adapted, faults, body, isConverted, values } = markdown;
  const isBroken = adapted !== null && adapted.skipped === null && faults.length > 0;
  if (!isBroken || isConverted || body.trim() === "" || path === undefined) return null;
  const present = await record.itemAt(path);
  if (present !== null && present.status !== "deleted") return null;
  return { ...markdown, faults: [], values: { ...values, draft: true } };
}

/** Reports what is lost of a file whose text is imported alone. */
export function withLoss(parsed: ParsedItem, { faults }: MarkdownText): ParsedItem {
  const lost = faults.map(({ line, message: { en, de } }) => ({
    line,
    field: "",
    message: {
      en: `${en}; the text is a draft now, without what stands above it: correct the file and import it again, or complete the draft`,
      de: `${de}; der Text ist jetzt ein Entwurf, ohne die Angaben darüber: Berichtigen Sie die Datei und importieren Sie sie noch einmal, oder ergänzen Sie den Entwurf`,
    },
    severity: "error" as const,
  }));
  return { ...parsed, problems: [...lost, ...parsed.problems] };
}
