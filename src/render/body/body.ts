import MarkdownIt, { type Token } from "markdown-it";
import { AppError } from "../../errors.ts";
import { addPictureSources } from "../picture-sources.ts";
import { addAlternativeTexts, type FindPicture, findNoPicture } from "../pictures.ts";
import { sanitizeBody } from "./body-html.ts";
import { serializeBodyAsMarkdown } from "./body-markdown.ts";
import { addCreditsAndFileNotes, convertPicturesToFigures } from "./figures.ts";
import { textOfHtml } from "./html-text.ts";
import { addMarkdownExtensions } from "./markdown-extensions.ts";
import { normalizeHeadings } from "./outline.ts";
import { renderPlainBody } from "./plain-body.ts";
import type { RenderedBody } from "./rendered-body.ts";
import { isSimpleMarkup, sanitizeSimpleHtml, textOfSimpleHtml } from "./simple-html.ts";

export interface BodyRenderOptions {
  origin: string;
  findPicture?: FindPicture;
  /**
   * Whether other content of the page precedes the text. If not, the first picture of the text is loaded
   * eagerly.
   */
  isBelowOthers?: boolean;
  /** Makes the ids of footnotes unique on a page that shows several bodies. */
  name?: string;
}

const NESTING_MAX = 50;
/**
 * Limit on the total number of characters in the addresses and titles of all links. The limit is raised by
 * three characters for each byte of the text.
 */
const REFERENCED_CHARACTERS_MAX = 100_000;

const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: NESTING_MAX });
parser.linkify.set({ fuzzyLink: false });
addMarkdownExtensions(parser);

/**
 * CommonMark with tables, strikethrough and autolinks. HTML and Markdown come from one parse, so they
 * agree.
 * @throws {AppError} `invalid` when lists and quotations nest deeper than 50 levels.
 */
export function renderBody(body: string, options: BodyRenderOptions): RenderedBody {
  return renderPlainBody(body) ?? renderMarkdownBody(body, options);
}

/** Like {@link renderBody}, without the shortcut for plain text. */
export function renderMarkdownBody(body: string, options: BodyRenderOptions): RenderedBody {
  const tokens = outlinedTokens(body);
  if (!isSimpleMarkup(tokens)) return renderTokens(tokens, options);
  const html = sanitizeSimpleHtml(renderedHtml(tokens));
  const text = html.includes("<ol") ? textOfHtml(html) : textOfSimpleHtml(html);
  return { html, markdown: serializeBodyAsMarkdown(tokens, options.origin), text };
}

/** Like {@link renderMarkdownBody}, but always through the sanitiser. */
export function renderSanitizedBody(body: string, options: BodyRenderOptions): RenderedBody {
  return renderTokens(outlinedTokens(body), options);
}

function outlinedTokens(body: string): Token[] {
  const tokens = parser.parse(body, {});
  limitReferences(tokens, body);
  if (tokens.some((token) => token.level >= NESTING_MAX - 1)) {
    throw new AppError("invalid", {
      en: `The text nests deeper than ${NESTING_MAX} levels`,
      de: `Der Text ist tiefer als ${NESTING_MAX} Ebenen verschachtelt`,
    });
  }
  return normalizeHeadings(tokens);
}

/**
 * Limits reference links: each use of a reference repeats its address and title, so a small text
 * could become gigabytes. Percent-encoding turns a byte into at most three characters. The limit
 * allows three characters for each byte of the text, so inline links alone never exceed it.
 */
function limitReferences(tokens: readonly Token[], body: string): void {
  let remaining = REFERENCED_CHARACTERS_MAX + 3 * Buffer.byteLength(body);
  for (const { children } of tokens) {
    for (const { attrs } of children ?? []) {
      for (const [, value] of attrs ?? []) remaining -= String(value).length;
    }
  }
  if (remaining >= 0) return;
  throw new AppError("invalid", {
    en: "The text uses link references with long addresses or titles too often; shorten them, or use them less",
    de: "Der Text verwendet Link-Verweise mit langen Adressen oder Titeln zu oft: Kürzen Sie sie, oder verwenden Sie sie seltener",
  });
}

function renderTokens(
  tokens: Token[],
  { origin, findPicture = findNoPicture, isBelowOthers = false, name = "" }: BodyRenderOptions,
): RenderedBody {
  const context = { origin, findPicture, isBelowOthers, name };
  addAlternativeTexts(tokens, context);
  const plain = htmlOf(
    convertPicturesToFigures(tokens, { ...context, showsMetadata: false }),
    context,
  );
  const text = textOfHtml(plain);
  if (!plain.includes("/media/")) {
    return { html: plain, markdown: serializeBodyAsMarkdown(tokens, origin), text };
  }
  const html = htmlOf(
    convertPicturesToFigures(tokens, { ...context, showsMetadata: true }),
    context,
  );
  const portable = addCreditsAndFileNotes(tokens, context);
  return { html, markdown: serializeBodyAsMarkdown(portable, origin), text };
}

function htmlOf(tokens: Token[], context: Required<BodyRenderOptions>): string {
  const html = renderedHtml(tokens, context.name);
  return addPictureSources(sanitizeBody(html, context), context);
}

function renderedHtml(tokens: Token[], name = ""): string {
  const env = name === "" ? {} : { docId: name };
  return parser.renderer.render(tokens, parser.options, env);
}

/**
 * Matches a line that starts with so many markers or indents that the text may nest too deep. Each of these
 * characters opens at most two levels, as a tab in a list does. For 50 levels, a line needs at least 25 of
 * these characters.
 */
const MARKS_IN_A_ROW = new RegExp(`^[ \\t>*+\\-\\d.)]{${Math.floor(NESTING_MAX / 3)},}`, "m");

/**
 * A cheap check for deep nesting. True if `renderBody` accepts the text. False if it may refuse the text.
 */
export function isShallowlyNested(body: string): boolean {
  return (
    !MARKS_IN_A_ROW.test(body) &&
    !body.includes("]:") &&
    body.split("<", NESTING_MAX).length < NESTING_MAX
  );
}
