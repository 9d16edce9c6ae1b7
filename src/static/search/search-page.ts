import type { ReadingCopy } from "../../content/library.ts";
import { appendSectionLinks } from "../../content/pages/search-results.ts";
import type { Block } from "../../content/pages/view.ts";
import type { Edition } from "../../content/site/editions.ts";
import { blockHtml } from "../../render/blocks/block-html.ts";
import { blockMarkdown } from "../../render/blocks/block-markdown.ts";
import { html, type SafeHtml } from "../../render/html.ts";

type SiteTexts = Edition["texts"];

interface SearchPage {
  reading: ReadingCopy;
  origin: string;
  edition: Edition;
}

/** The server's search page with an element for results and the script that shows them. */
export function addSearchToPageHtml(
  page: string,
  { folder, script }: { folder: string; script: string },
  { reading, origin, edition }: SearchPage,
): string {
  const { texts, language } = edition;
  const { search } = texts;
  const context = { language, origin, findPicture: () => null, showsPicturesFromElsewhere: false };
  const line = (text: string) => blockHtml(sectionsBlock(text, reading, edition), context);
  const found = html`${resultsElement(texts, folder)}
<p role="status"></p>
<div hidden>${line(search.advice)}</div>
</div>
<noscript>${line(search.needsScript)}</noscript>
<script type="module" src="${script}"></script>
`;
  return page.replace("</main>", () => `${found.text}</main>`);
}

/**
 * Adds a paragraph to the Markdown search page. The paragraph says that this page cannot search, and
 * links to the sections.
 */
export function addSearchNoticeToMarkdown(
  page: string,
  { reading, origin, edition }: SearchPage,
): string {
  const { texts } = edition;
  const block = sectionsBlock(texts.search.needsScript, reading, edition);
  return `${page}\n${blockMarkdown(block, { texts, origin, findPicture: () => null })}\n`;
}

function sectionsBlock(text: string, reading: ReadingCopy, edition: Edition): Block {
  return { kind: "paragraph", line: appendSectionLinks(text, reading, edition) };
}

/** The element for the results. It also contains the texts that the script shows. */
function resultsElement({ search, list, errors, ...texts }: SiteTexts, folder: string): SafeHtml {
  const results = JSON.stringify(pluralForms({ search, ...texts }));
  const words = "{text}";
  return html`<div id="found" data-index="/${folder}" data-language="${texts.language}" data-titled="${search.titleFor(words)}" data-results="${results}" data-nothing="${search.nothingFor(words)}" data-shortened="${search.shortened}" data-failed="${errors[503]}" data-pages="${list.pages}" data-previous="${list.previous}" data-next="${list.next}">`;
}

/**
 * The texts for a number of results, by plural category, with the placeholders `{count}` and
 * `{text}`.
 */
function pluralForms({
  search,
  number,
  language,
}: Pick<SiteTexts, "search" | "number" | "language">): Record<string, string> {
  const rules = new Intl.PluralRules(language);
  const forms: Record<string, string> = {};
  for (let count = COUNTS_OF_ALL_CATEGORIES; count > 0; count -= 1) {
    const text = search.results(count, { isExact: true, text: "{text}" });
    forms[rules.select(count)] = text.replace(number(count), "{count}");
  }
  return forms;
}

/** In every language, each plural category applies to at least one number from 1 to this number. */
const COUNTS_OF_ALL_CATEGORIES = 100;
