import { pageUrl } from "../content/addresses/addresses.ts";
import { apaCitation } from "../content/citations/apa.ts";
import { citationText } from "../content/citations/reference.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { VisitorForm } from "../content/pages/contact-forms.ts";
import type {
  Anchor,
  Block,
  CountTable,
  Entry,
  Filters,
  IndexGroup,
  Inline,
  PageView,
  Quote,
} from "../content/pages/view.ts";
import { dayIn } from "../content/site/time-zone.ts";
import { autonymOf } from "../texts/formats.ts";
import type { SiteTexts } from "../texts/site/english.ts";
import { siteTexts } from "../texts/site/site-texts.ts";
import { renderBody } from "./body/body.ts";
import { LinkCache } from "./body/link-cache.ts";
import {
  codeSpan,
  escapeDestination,
  escapeInline,
  escapeLineStart,
  escapeMarkdown,
  foldSpace,
  quoteYaml,
} from "./markdown-text.ts";
import { linkDestination } from "./site-links.ts";

export interface MarkdownContext {
  reading: Pick<ReadingCopy, "site">;
  origin: string;
}

interface LinkStyle {
  origin: string;
  /**
   * Returns the name by which tools find the item with this title; null: they need its address. Absent:
   * links are written as Markdown links.
   */
  nameOf?: (title: string) => string | null;
}

interface TextContext extends LinkStyle {
  /** The texts of the site in the language of the page. */
  texts: SiteTexts;
}

/** Front matter, one H1, a link to the index, then the same content as the HTML. */
export function pageMarkdown(view: PageView, { reading, origin }: MarkdownContext): string {
  const { title, path, query, textLanguage, updatedAt } = view;
  const description = view.description === "" ? reading.site().description : view.description;
  const updated =
    updatedAt === null
      ? ""
      : `\nlast_updated: ${quoteYaml(dayIn(reading.site().timeZone, updatedAt))}`;
  const parts = [
    `---
title: ${quoteYaml(title)}
description: ${quoteYaml(description)}
canonical: ${quoteYaml(pageUrl(origin, path) + query)}
lang: ${quoteYaml(textLanguage)}${updated}
---`,
    heading(view),
    `> Documentation index: the complete index of this site is at [llms.txt](${origin}/llms.txt). Every page has a Markdown version at its address plus \`.md\`.`,
    ...mainParts(view, { origin }),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Like `pageMarkdown`, without front matter and index link. */
export function mainMarkdown(view: PageView, style: LinkStyle): string {
  return `${[heading(view), ...mainParts(view, style)].join("\n\n")}\n`;
}

function heading({ title, heading }: PageView): string {
  return `# ${escapeMarkdown(heading?.text ?? title)}`;
}

/**
 * The blocks of a page. Tools get only its own blocks, not those around it, as they read one item at a time.
 */
function mainParts(
  { language, translations, blocks: own, around = () => [] }: PageView,
  style: LinkStyle,
): string[] {
  const blocks = style.nameOf === undefined ? [...own, ...around()] : own;
  const texts = siteTexts(language);
  const context = { ...style, texts };
  const anchors = translations.map(
    ({ language: tag, path }): Inline => ({ text: autonymOf(tag), to: encodeURI(path) }),
  );
  const versions = anchors.flatMap((anchor, at) => (at === 0 ? [anchor] : [texts.comma, anchor]));
  return [
    ...(versions.length === 0
      ? []
      : [lineText([`${texts.frame.translations} `, ...versions], context)]),
    ...blocks.map((block) => blockText(block, context)).filter((text) => text !== ""),
  ];
}

function blockText(block: Block, context: TextContext): string {
  switch (block.kind) {
    case "lead":
      return escapeMarkdown(block.text);
    case "body":
      return block.markdown;
    case "source":
      return renderBody(block.markdown, { origin: context.origin }).markdown;
    case "heading":
      return `## ${escapeMarkdown(block.text)}`;
    case "paragraph":
      return lineText(block.line, context);
    case "facts":
      return block.facts
        .map(({ label, values }) => {
          const lines = values.map((line) => lineText(line, context, "inside"));
          return `- ${escapeInline(label)}: ${lines.join(context.texts.comma)}`;
        })
        .join("\n");
    case "entries":
      return entriesText(block.entries, context);
    case "quotes":
      return block.quotes.map((quote) => quoteText(quote, context)).join("\n\n");
    case "saying":
      return quoteText(block.quote, context);
    case "aside":
      return lineText(block.line, context);
    case "citations":
      return context.nameOf === undefined ? citationLine(block, context) : "";
    case "letters":
      return block.letters.map((letter) => lineText([letter], context, "inside")).join(" · ");
    case "index":
      return block.groups.map((group) => indexText(group, context)).join("\n\n");
    case "counts":
      return countsText(block, context);
    case "paging": {
      const { page, pages, previous, next } = block.paging;
      const { list } = context.texts;
      const steps: Inline[] = [
        ...(previous === null ? [] : [{ text: list.previous, to: previous }, " · "]),
        list.page(page, pages),
        ...(next === null ? [] : [" · ", { text: list.next, to: next }]),
      ];
      return lineText(steps, context);
    }
    case "form":
      return formText(block.form, context);
    case "faults":
      return block.problems.map(({ message }) => `- ${escapeInline(message)}`).join("\n");
    case "filters":
      return filtersText(block, context);
    case "search":
      return `${context.texts.search.title}: \`${context.origin}${block.action}.md?q=WORDS\``;
  }
}

/** Links that remove the active filters, and the facets that are left to choose from. */
function filtersText({ chosen, facets }: Filters, context: TextContext): string {
  const { filters, number, comma } = context.texts;
  const removals = chosen.map(
    (anchor) => `- ${filters.remove}: ${lineText([anchor], context, "inside")}`,
  );
  const groups = facets.map(({ name, label, options }) => {
    const shown = options
      .slice(0, FACET_OPTIONS_MAX)
      .map(({ label: text, count }) => `${escapeInline(text)} (${number(count)})`);
    return `- ${escapeInline(label)} (${codeSpan(`${name}=`)}): ${shown.join(comma)}`;
  });
  return [...removals, ...groups].join("\n");
}

/** The citation in APA style, for pages. Tools put one in the requested form before the text. */
function citationLine(
  { path, reference }: Extract<Block, { kind: "citations" }>,
  { origin, texts }: TextContext,
): string {
  const url = pageUrl(origin, path);
  const pieces = apaCitation({ ...reference, url }).map((piece) =>
    typeof piece === "string" ? escapeInline(piece) : { italic: escapeInline(piece.italic) },
  );
  return `${texts.item.citeAs} ${citationText(pieces, (text) => `*${text}*`)}`;
}

/** The form's fields, for an agent to explain to its user. */
function formText({ action, fields }: VisitorForm, context: TextContext): string {
  const url = pageUrl(context.origin, action);
  const { form } = context.texts;
  const asked = fields.map(({ label, hint, isRequired, choices }) => {
    const notes = [
      ...(isRequired ? [] : [form.optional]),
      ...choices.map((choice) => choice.label),
    ];
    const hints = notes.length === 0 ? "" : ` (${escapeInline(notes.join("; "))})`;
    return `- ${escapeInline(label)}${hints}${hint === null ? "" : ` – ${escapeInline(hint)}`}`;
  });
  return `${lineText(form.isAt<Inline>({ code: url }), context)}\n\n${asked.join("\n")}`;
}

function indexText({ letter, entries }: IndexGroup, context: TextContext): string {
  return `## ${escapeMarkdown(letter)}\n\n${entriesText(entries, context)}`;
}

function countsText({ rowLabel, columns, rows }: CountTable, context: TextContext): string {
  const { number } = context.texts;
  const lines = rows.map(({ anchor, counts }) => [
    lineText([anchor], context, "inside"),
    ...counts.map((count) => (count === 0 ? "" : number(count))),
  ]);
  const head = [rowLabel, ...columns].map(escapeInline);
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function entriesText(entries: readonly Entry[], context: TextContext): string {
  return entries.map((entry) => entryText(entry, context)).join("\n");
}

function entryText({ line, note }: Entry, context: TextContext): string {
  const text = lineText(line, context, "inside");
  return `- ${text}${note.length === 0 ? "" : `: ${lineText(note, context, "inside")}`}`;
}

function quoteText({ text, caution, caption, page, basis }: Quote, context: TextContext): string {
  const words = typeof text === "string" ? linesText(text) : text.markdown;
  const before = caution === null ? "" : `**${escapeInline(caution.label)}:**\n\n`;
  const lines = words.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  const quoted = before + lines.join("\n");
  const parts: (readonly Inline[])[] = [
    ...(caption.length === 0 ? [] : [caption]),
    ...(page === null ? [] : [[pageLink(page, context)]]),
    ...(basis === null ? [] : [[basis]]),
  ];
  if (parts.length === 0) return quoted;
  const line = parts.map((part) => lineText(part, context, "inside")).join(" · ");
  return `${quoted}\n\n— ${line}`;
}

/** A text in paragraphs and lines, such as verse. */
function linesText(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => paragraph.split("\n"));
  return paragraphs.map((lines) => lines.map(escapeMarkdown).join("\\\n")).join("\n\n");
}

/** Tools get the address of a quotation without a title, as they cannot find it by name. */
function pageLink({ to, title }: NonNullable<Quote["page"]>, context: TextContext): Inline {
  if (title !== null) return { text: title, to };
  return context.nameOf === undefined
    ? { text: context.texts.quotation.open, to }
    : { code: `${context.origin}${to}` };
}

/** `place`: where the text is in its line; some characters need escaping only at the start. */
function lineText(
  line: readonly Inline[],
  context: TextContext,
  place: "start" | "inside" = "start",
): string {
  const text = line.map((piece) => inlineText(piece, context)).join("");
  return place === "start" ? escapeLineStart(text) : text;
}

function inlineText(piece: Inline, context: TextContext): string {
  if (typeof piece === "string") return escapeInline(foldSpace(piece));
  if ("code" in piece) return codeSpan(piece.code);
  if ("match" in piece) return `**${escapeInline(foldSpace(piece.match))}**`;
  if ("seal" in piece) return escapeInline(piece.seal.label);
  const { text, to } = piece;
  const { origin, nameOf } = context;
  if (nameOf !== undefined) return namedText({ text, to }, origin, nameOf);
  return knownLinks.get(`${text}\n${to}\n${origin}`, () => markdownLink({ text, to }, origin));
}

const FACET_OPTIONS_MAX = 8;

const knownLinks = new LinkCache();

function markdownLink({ text, to }: Anchor, origin: string): string {
  const destination = linkDestination(to, origin)?.markdown ?? to;
  return `[${escapeInline(foldSpace(text))}](${escapeDestination(destination)})`;
}

/** The name of a link within the site, with its address if tools need it. Links to other sites stay links. */
function namedText(
  { text, to }: Anchor,
  origin: string,
  nameOf: NonNullable<TextContext["nameOf"]>,
): string {
  if (!to.startsWith("/")) return markdownLink({ text, to }, origin);
  const name = nameOf(text);
  const shown = escapeInline(foldSpace(text));
  return name === null ? `${shown} <${origin}${to}>` : shown;
}
