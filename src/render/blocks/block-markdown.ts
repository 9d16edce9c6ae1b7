import { pageUrl } from "../../content/addresses/addresses.ts";
import { apaCitation } from "../../content/citations/apa.ts";
import { renderCitationText } from "../../content/citations/reference.ts";
import type {
  Block,
  CountTable,
  IndexGroup,
  InlineContent,
  ListEntry,
  Quote,
} from "../../content/pages/view.ts";
import { renderBody } from "../body/body.ts";
import { inlineMarkdown } from "../inline-markdown.ts";
import { escapeInline, escapeMarkdown } from "../markdown-text.ts";
import { type BlockMarkdownContext, filtersMarkdown, formMarkdown } from "./form-markdown.ts";
import { portraitMarkdown } from "./portrait.ts";

/** A block as Markdown; empty if the Markdown omits the block. */
export function blockMarkdown(block: Block, context: BlockMarkdownContext): string {
  switch (block.kind) {
    case "portrait":
      return portraitMarkdown(block.portrait, context.origin);
    case "byline":
      return inlineMarkdown(block.line, context);
    case "lead":
      return escapeMarkdown(block.text);
    case "body":
      return block.markdown;
    case "source":
      return renderBody(block.markdown, context).markdown;
    case "heading":
      return `## ${escapeMarkdown(block.text)}`;
    case "subheading":
      return `### ${escapeMarkdown(block.text)}`;
    case "paragraph":
      return inlineMarkdown(block.line, context);
    case "facts":
      return block.facts
        .map(({ label, values }) => {
          const lines = values.map((line) => inlineMarkdown(line, context, "inside"));
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
      return inlineMarkdown(block.line, context);
    case "controls":
      return block.links.map((link) => inlineMarkdown([link], context, "inside")).join(" · ");
    case "citations":
      return context.nameOf === undefined ? citationLine(block, context) : "";
    case "letters":
      return block.letters.map((letter) => inlineMarkdown([letter], context, "inside")).join(" · ");
    case "index":
      return block.groups.map((group) => indexText(group, context)).join("\n\n");
    case "counts":
      return countsText(block, context);
    case "paging": {
      const { page, pages, previous, next } = block.paging;
      const { list } = context.texts;
      const steps: InlineContent[] = [
        ...(previous === null ? [] : [{ text: list.previous, to: previous }, " · "]),
        list.page(page, pages),
        ...(next === null ? [] : [" · ", { text: list.next, to: next }]),
      ];
      return inlineMarkdown(steps, context);
    }
    case "form":
      return formMarkdown(block.form, context);
    case "faults":
      return block.problems.map(({ message }) => `- ${escapeInline(message)}`).join("\n");
    case "filters":
      return filtersMarkdown(block, context);
    case "search":
      return `${context.texts.search.title}: \`${context.origin}${block.action}.md?q=WORDS\``;
  }
}

/**
 * The citation in APA style. Only pages contain this line. Tools instead put a citation in the requested
 * style before the text.
 */
function citationLine(
  { path, reference }: Extract<Block, { kind: "citations" }>,
  { origin, texts }: BlockMarkdownContext,
): string {
  const url = pageUrl(origin, path);
  const pieces = apaCitation({ ...reference, url }).map((piece) =>
    typeof piece === "string" ? escapeInline(piece) : { italic: escapeInline(piece.italic) },
  );
  return `${texts.item.citeAs} ${renderCitationText(pieces, (text) => `*${text}*`)}`;
}

function indexText({ letter, entries }: IndexGroup, context: BlockMarkdownContext): string {
  return `## ${escapeMarkdown(letter)}\n\n${entriesText(entries, context)}`;
}

function countsText(
  { rowLabel, columns, rows }: CountTable,
  context: BlockMarkdownContext,
): string {
  const { number } = context.texts;
  const lines = rows.map(({ anchor, counts }) => [
    inlineMarkdown([anchor], context, "inside"),
    ...counts.map((count) => (count === 0 ? "" : number(count))),
  ]);
  const head = [rowLabel, ...columns].map(escapeInline);
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function entriesText(entries: readonly ListEntry[], context: BlockMarkdownContext): string {
  return entries.map((entry) => entryText(entry, context)).join("\n");
}

function entryText({ line, note }: ListEntry, context: BlockMarkdownContext): string {
  const text = inlineMarkdown(line, context, "inside");
  return `- ${text}${note.length === 0 ? "" : `: ${inlineMarkdown(note, context, "inside")}`}`;
}

function quoteText(
  { text, caution, caption, page, listingReason }: Quote,
  context: BlockMarkdownContext,
): string {
  const words = typeof text === "string" ? linesText(text) : text.markdown;
  const before = caution === null ? "" : `**${escapeInline(caution.label)}:**\n\n`;
  const lines = words.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  const quoted = before + lines.join("\n");
  const parts: (readonly InlineContent[])[] = [
    ...(caption.length === 0 ? [] : [caption]),
    ...(page === null ? [] : [[pageLink(page, context)]]),
    ...(listingReason === null ? [] : [[listingReason]]),
  ];
  if (parts.length === 0) return quoted;
  const line = parts.map((part) => inlineMarkdown(part, context, "inside")).join(" · ");
  return `${quoted}\n\n— ${line}`;
}

/** A text in paragraphs and lines, such as verse. */
function linesText(text: string): string {
  const paragraphs = text.split("\n\n").map((paragraph) => paragraph.split("\n"));
  return paragraphs.map((lines) => lines.map(escapeMarkdown).join("\\\n")).join("\n\n");
}

/**
 * The link to the page of a quotation. If the page has no title, tools need the address, because they
 * cannot find the page by name.
 */
function pageLink(
  { to, title }: NonNullable<Quote["page"]>,
  context: BlockMarkdownContext,
): InlineContent {
  if (title !== null) return { text: title, to };
  return context.nameOf === undefined
    ? { text: context.texts.quotation.open, to }
    : { code: `${context.origin}${to}` };
}
