import type { SiteTexts } from "../../texts/site/english.ts";
import { textOfHtml } from "../body/html-text.ts";
import { html, type SafeHtml } from "../html.ts";

/** About two screens of text. A shorter text has no table of contents. */
const HTML_CHARACTERS_MIN = 8000;
const SECTIONS_MIN = 4;
/**
 * A text with more sections than this, such as a dictionary, has no table of contents, because the table
 * would fill a page.
 */
const SECTIONS_MAX = 60;
/** If a body has more headings than this, its table of contents lists only one level. */
const BOTH_LEVELS_MAX = 24;
/**
 * A table of contents with more entries than this is closed at first, so that it does not fill a phone's
 * screen.
 */
const OPEN_MAX = 8;

const HEADING_HTML = /<h([23]) id="([^"]+)">([\s\S]*?)<\/h\1>/g;

interface Heading {
  level: number;
  id: string;
  html: string;
}

interface Section extends Heading {
  below: Heading[];
}

/**
 * The table of contents of a rendered body; null for a body that is short or has too few or too many
 * sections. `attributes` mark the language of the body.
 */
export function tableOfContentsHtml(
  body: string,
  { texts, attributes }: { texts: SiteTexts; attributes: SafeHtml | null },
): SafeHtml | null {
  if (body.length < HTML_CHARACTERS_MIN) return null;
  const headings = headingsIn(body);
  const listed = headings.length <= BOTH_LEVELS_MAX ? headings : topLevel(headings);
  if (listed.length < SECTIONS_MIN || listed.length > SECTIONS_MAX) return null;
  const { contents } = texts.frame;
  const isOpen = listed.length <= OPEN_MAX;
  return html`<nav class="contents" aria-label="${contents}"><details${isOpen && html` open`}><summary>${contents}</summary>
${sectionList(nested(listed), attributes)}</details></nav>
`;
}

function headingsIn(body: string): Heading[] {
  return [...body.matchAll(HEADING_HTML)].map(([, level, id = "", inner = ""]) => ({
    level: Number(level),
    id,
    html: inner,
  }));
}

/** The headings of level 2. If there are fewer than two, the headings of level 3. */
function topLevel(headings: readonly Heading[]): Heading[] {
  const topHeadings = headings.filter(({ level }) => level === 2);
  return topHeadings.length > 1 ? topHeadings : headings.filter(({ level }) => level === 3);
}

function nested(headings: readonly Heading[]): Section[] {
  const sections: Section[] = [];
  for (const heading of headings) {
    const last = sections.at(-1);
    if (last === undefined || heading.level <= last.level) sections.push({ ...heading, below: [] });
    else last.below.push(heading);
  }
  return sections;
}

function sectionList(sections: readonly Section[], attributes: SafeHtml | null): SafeHtml {
  return html`<ol${attributes}>
${sections.map(
  ({ below, ...heading }) =>
    html`<li>${linkTo(heading)}${below.length > 0 && html`<ol>${below.map((each) => html`<li>${linkTo(each)}</li>`)}</ol>`}</li>\n`,
)}</ol>
`;
}

function linkTo(heading: Heading): SafeHtml {
  return html`<a href="#${heading.id}">${textOfHtml(heading.html)}</a>`;
}
