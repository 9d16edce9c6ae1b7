import type { MarkdownOutline } from "../markdown-outline.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * Removes the heading at the start of a Markdown text if it is the title. A text that `sync` wrote
 * is not changed, because its title is in the front matter.
 */
export function removeTitleHeading(
  values: Values,
  body: string,
  outline: MarkdownOutline,
): { title?: string; body: string } {
  return isWrittenBySync(values) ? { body } : withoutTitle(body, outline, values["title"]);
}

/** Whether the front matter has the keys that `sync` always writes. */
function isWrittenBySync(values: Values): boolean {
  return ["type", "title", "language", "status"].every((key) => key in values);
}

/** Removes a leading heading that is the title, because the page shows the title anyway. */
function withoutTitle(
  body: string,
  { heading }: MarkdownOutline,
  raw: unknown,
): { title?: string; body: string } {
  if (heading === null || heading.text === "") return { body };
  const { text: title, firstLine, lastLine } = heading;
  if (raw !== undefined && raw !== title) return { body };
  const lines = body.split("\n");
  lines.splice(firstLine - 1, lastLine - firstLine + 1);
  return { title, body: lines.join("\n").replace(/^\n+/, "") };
}
