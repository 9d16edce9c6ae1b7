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

/** How links are written. */
interface LinkStyle {
  origin: string;
  /**
   * Returns the name by which tools find the item with this title; null: they need its address. Absent:
   * links are written as Markdown links.
   */
  nameOf?: (title: string) => string | null;
}

interface Written extends LinkStyle {
  /** In the language of the page. */
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

/** The blocks of a page; for tools without those around it, as they read an item on its own. */
function mainParts(
  { language, translations, blocks: own, around = () => [] }: PageView,
  style: LinkStyle,
): string[] {
  const blocks = style.nameOf === undefined ? [...own, ...around()] : own;
  const texts = siteTexts(language);
  const written = { ...style, texts };
  const anchors = translations.map(
    ({ language: tag, path }): Inline => ({ text: autonymOf(tag), to: encodeURI(path) }),
  );
  const also = anchors.flatMap((anchor, at) => (at === 0 ? [anchor] : [texts.comma, anchor]));
  return [
    ...(also.length === 0 ? [] : [lineText([`${texts.frame.translations} `, ...also], written)]),
    ...blocks.map((block) => blockText(block, written)).filter((text) => text !== ""),
  ];
}

function blockText(block: Block, written: Written): string {
  switch (block.kind) {
    case "lead":
      return escapeMarkdown(block.text);
    case "body":
      return block.markdown;
    case "source":
      return renderBody(block.markdown, { origin: written.origin }).markdown;
    case "heading":
      return `## ${escapeMarkdown(block.text)}`;
    case "paragraph":
      return lineText(block.line, written);
    case "facts":
      return block.facts
        .map(({ label, values }) => {
          const lines = values.map((line) => lineText(line, written, "inside"));
          return `- ${escapeInline(label)}: ${lines.join(written.texts.comma)}`;
        })
        .join("\n");
    case "entries":
      return entriesText(block.entries, written);
    case "quotes":
      return block.quotes.map((quote) => quoteText(quote, written)).join("\n\n");
    case "saying":
      return quoteText(block.quote, written);
    case "aside":
      return lineText(block.line, written);
    case "citations":
      return written.nameOf === undefined ? citationLine(block, written) : "";
    case "letters":
      return block.letters.map((letter) => lineText([letter], written, "inside")).join(" · ");
    case "index":
      return block.groups.map((group) => indexText(group, written)).join("\n\n");
    case "counts":
      return countsText(block, written);
    case "paging": {
      const { page, pages, previous, next } = block.paging;
      const { list } = written.texts;
      const steps: Inline[] = [
        ...(previous === null ? [] : [{ text: list.previous, to: previous }, " · "]),
        list.page(page, pages),
        ...(next === null ? [] : [" · ", { text: list.next, to: next }]),
      ];
      return lineText(steps, written);
    }
    case "form":
      return formText(block.form, written);
    case "faults":
      return block.problems.map(({ message }) => `- ${escapeInline(message)}`).join("\n");
    case "filters":
      return filtersText(block, written);
    case "search":
      return `${written.texts.search.title}: \`${written.origin}${block.action}.md?q=WORDS\``;
  }
}

/** The active filters with the links that remove them, and the remaining facets. */
function filtersText({ chosen, facets }: Filters, written: Written): string {
  const { filters, number, comma } = written.texts;
  const ways = chosen.map(
    (anchor) => `- ${filters.remove}: ${lineText([anchor], written, "inside")}`,
  );
  const groups = facets.map(({ name, label, options }) => {
    const shown = options
      .slice(0, FACET_OPTIONS)
      .map(({ label: text, count }) => `${escapeInline(text)} (${number(count)})`);
    return `- ${escapeInline(label)} (${codeSpan(`${name}=`)}): ${shown.join(comma)}`;
  });
  return [...ways, ...groups].join("\n");
}

/** The citation in APA style; tools put one in the requested form before the text instead. */
function citationLine(
  { path, reference }: Extract<Block, { kind: "citations" }>,
  { origin, texts }: Written,
): string {
  const url = pageUrl(origin, path);
  const pieces = apaCitation({ ...reference, url }).map((piece) =>
    typeof piece === "string" ? escapeInline(piece) : { italic: escapeInline(piece.italic) },
  );
  return `${texts.item.citeAs} ${citationText(pieces, (text) => `*${text}*`)}`;
}

/** The form's fields, for an agent to explain to its user. */
function formText({ action, fields }: VisitorForm, written: Written): string {
  const url = pageUrl(written.origin, action);
  const { form } = written.texts;
  const asked = fields.map(({ label, hint, isRequired, choices }) => {
    const notes = [
      ...(isRequired ? [] : [form.optional]),
      ...choices.map((choice) => choice.label),
    ];
    const hints = notes.length === 0 ? "" : ` (${escapeInline(notes.join("; "))})`;
    return `- ${escapeInline(label)}${hints}${hint === null ? "" : ` – ${escapeInline(hint)}`}`;
  });
  return `${lineText(form.isAt<Inline>({ code: url }), written)}\n\n${asked.join("\n")}`;
}

function indexText({ letter, entries }: IndexGroup, written: Written): string {
  return `## ${escapeMarkdown(letter)}\n\n${entriesText(entries, written)}`;
}

function countsText({ rowLabel, columns, rows }: CountTable, written: Written): string {
  const { number } = written.texts;
  const lines = rows.map(({ anchor, counts }) => [
    lineText([anchor], written, "inside"),
    ...counts.map((count) => (count === 0 ? "" : number(count))),
  ]);
  const head = [rowLabel, ...columns].map(escapeInline);
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function entriesText(entries: readonly Entry[], written: Written): string {
  return entries.map((entry) => entryText(entry, written)).join("\n");
}

function entryText({ line, note }: Entry, written: Written): string {
  const text = lineText(line, written, "inside");
  return `- ${text}${note.length === 0 ? "" : `: ${lineText(note, written, "inside")}`}`;
}

function quoteText({ text, caution, caption, page, basis }: Quote, written: Written): string {
  const words = typeof text === "string" ? linesText(text) : text.markdown;
  const before = caution === null ? "" : `**${escapeInline(caution.label)}:**\n\n`;
  const lines = words.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  const quoted = before + lines.join("\n");
  const parts: (readonly Inline[])[] = [
    ...(caption.length === 0 ? [] : [caption]),
    ...(page === null ? [] : [[pageLink(page, written)]]),
    ...(basis === null ? [] : [[basis]]),
  ];
  if (parts.length === 0) return quoted;
  const line = parts.map((part) => lineText(part, written, "inside")).join(" · ");
  return `${quoted}\n\n— ${line}`;
}

/** A text in paragraphs and lines, such as verse. */
function linesText(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => paragraph.split("\n"));
  return paragraphs.map((lines) => lines.map(escapeMarkdown).join("\\\n")).join("\n\n");
}

/** Tools get the address of a quotation without a title of its own, as no name leads to it. */
function pageLink({ to, title }: NonNullable<Quote["page"]>, written: Written): Inline {
  if (title !== null) return { text: title, to };
  return written.nameOf === undefined
    ? { text: written.texts.quotation.open, to }
    : { code: `${written.origin}${to}` };
}

/** `place`: some characters need escaping only at the start of a line. */
function lineText(
  line: readonly Inline[],
  written: Written,
  place: "start" | "inside" = "start",
): string {
  const text = line.map((piece) => inlineText(piece, written)).join("");
  return place === "start" ? escapeLineStart(text) : text;
}

function inlineText(piece: Inline, written: Written): string {
  if (typeof piece === "string") return escapeInline(foldSpace(piece));
  if ("code" in piece) return codeSpan(piece.code);
  if ("match" in piece) return `**${escapeInline(foldSpace(piece.match))}**`;
  if ("seal" in piece) return escapeInline(piece.seal.label);
  const { text, to } = piece;
  const { origin, nameOf } = written;
  if (nameOf !== undefined) return namedText({ text, to }, origin, nameOf);
  return knownLinks.written(`${text}\n${to}\n${origin}`, () => linkText({ text, to }, origin));
}

const FACET_OPTIONS = 8;

const knownLinks = new LinkCache();

function linkText({ text, to }: Anchor, origin: string): string {
  const destination = linkDestination(to, origin)?.markdown ?? to;
  return `[${escapeInline(foldSpace(text))}](${escapeDestination(destination)})`;
}

/** A name, with its address if needed; links to other sites stay Markdown links. */
function namedText(
  { text, to }: Anchor,
  origin: string,
  nameOf: NonNullable<Written["nameOf"]>,
): string {
  if (!to.startsWith("/")) return linkText({ text, to }, origin);
  const name = nameOf(text);
  const shown = escapeInline(foldSpace(text));
  return name === null ? `${shown} <${origin}${to}>` : shown;
}
