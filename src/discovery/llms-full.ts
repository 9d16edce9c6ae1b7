import { markdownUrl, pageUrl } from "../content/addresses/addresses.ts";
import type { PublishedItem } from "../content/library.ts";
import { isFieldShownToVisitors } from "../content/pages/field-values.ts";
import type { ContentType } from "../content/types/content-type.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import { collapseWhitespace, formatLlmsLinkText } from "./llms-lines.ts";
import { llmsSectionPath } from "./llms-section.ts";

/** The limit is about twenty novels, more than any client can use. */
const CHARACTERS_MAX = 10_000_000;

/** The text of every page, in the order of the types. */
export const llmsFull: DiscoveryDocument = {
  name: "llms-full.txt",
  paths: ["/llms-full.txt"],
  contentType: "text/markdown; charset=utf-8",
  render: (context) => generateLlmsFullText(context, CHARACTERS_MAX),
};

/**
 * The texts of the pages, up to `charactersMax` in total. The end of the file says how many pages
 * are left out and where to find them.
 */
export function* generateLlmsFullText(
  context: DocumentContext,
  charactersMax: number,
): Generator<string> {
  const { reading, origin } = context;
  const site = reading.site();
  const total = Object.values(reading.counts()).reduce((sum, count) => sum + count, 0);
  yield `# ${collapseWhitespace(site.name)}\n\n> ${collapseWhitespace(site.description)}\n\nThe text of the site, ${total} pages, each under a heading of its own. If it is longer than ${charactersMax} characters, the end says what is left out. The index is ${origin}/llms.txt.\n`;
  const omittedCounts = new Map(Object.entries(reading.counts()));
  let remaining = charactersMax;
  for (const entry of reading.index()) {
    const item = reading.itemOf(entry);
    const type = reading.types().get(entry.type);
    if (item === null || type === undefined) continue;
    const text = pageText(item, type, origin);
    remaining -= text.length;
    if (remaining < 0) break;
    yield text;
    omittedCounts.set(entry.type, (omittedCounts.get(entry.type) ?? 1) - 1);
  }
  yield omissions(context, omittedCounts);
}

function pageText(item: PublishedItem, type: ContentType, origin: string): string {
  const facts = [
    `- Address: ${pageUrl(origin, item.path)}`,
    `- Kind: ${type.label}`,
    ...fieldLines(item, type),
    ...Object.entries(item.links)
      .filter(([, links]) => links.length > 0)
      .map(([name, links]) => {
        const targets = links.map(
          ({ title, path }) => `[${formatLlmsLinkText(title)}](${markdownUrl(origin, path)})`,
        );
        return `- ${type.relations[name]?.label ?? name}: ${targets.join(", ")}`;
      }),
  ];
  const summary = item.hasOwnSummary ? collapseWhitespace(item.summary) : "";
  const blocks = [
    `# ${formatLlmsLinkText(item.title)}`,
    facts.join("\n"),
    summary,
    item.markdown.trim(),
  ];
  return `\n${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function fieldLines(item: PublishedItem, type: ContentType): string[] {
  return Object.entries(type.fields).flatMap(([name, { label }]) => {
    const value = item.fields[name];
    if (value === undefined || value === "") return [];
    if (!isFieldShownToVisitors(name, type)) return [];
    const shown = typeof value === "object" ? value.join(", ") : String(value);
    return shown === "" ? [] : [`- ${label}: ${collapseWhitespace(shown)}`];
  });
}

function omissions(
  { reading, origin }: DocumentContext,
  omittedCounts: ReadonlyMap<string, number>,
): string {
  const lines = [...omittedCounts].flatMap(([name, count]) => {
    const type = reading.types().get(name);
    if (type === undefined || count <= 0) return [];
    return [
      `- ${type.plural}: ${count} left out; all are listed at ${origin}${llmsSectionPath(type)}`,
    ];
  });
  if (lines.length === 0) return "";
  return `\n# Left out of this file\n\n${lines.join("\n")}\n- Every address: ${origin}/sitemap.xml\n`;
}
