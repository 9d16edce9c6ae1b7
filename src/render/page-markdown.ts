import { pageUrl } from "../content/addresses/addresses.ts";
import { apaCitation } from "../content/citations/apa.ts";
import { citationText } from "../content/citations/reference.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { VisitorForm } from "../content/pages/contact-forms.ts";
import type { Anchor, Block, Entry, Inline, PageView, Quote } from "../content/pages/view.ts";
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
interface Written {
  origin: string;
  /**
   * The name of an item by its title, where a name is enough; null where its address is needed. Absent:
   * links are Markdown links.
   */
  nameOf?: (title: string) => string | null;
}

/** Front matter, one H1, a link to the index, then the same content as the HTML. */
export function pageMarkdown(view: PageView, { reading, origin }: MarkdownContext): string {
  const { title, path, query, language, updatedAt } = view;
  const description = view.description === "" ? reading.site().description : view.description;
  const updated = updatedAt === null ? "" : `\nlast_updated: ${quoteYaml(updatedAt.slice(0, 10))}`;
  const parts = [
    `---
title: ${quoteYaml(title)}
description: ${quoteYaml(description)}
canonical: ${quoteYaml(pageUrl(origin, path) + query)}
lang: ${quoteYaml(language)}${updated}
---`,
    heading(view),
    `> Documentation index: the complete index of this site is at [llms.txt](${origin}/llms.txt). Every page has a Markdown version at its address plus \`.md\`.`,
    ...mainParts(view, { origin }),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** As `pageMarkdown`, without front matter and index link. */
export function mainMarkdown(view: PageView, written: Written): string {
  return `${[heading(view), ...mainParts(view, written)].join("\n\n")}\n`;
}

function heading({ title }: PageView): string {
  return `# ${escapeMarkdown(title)}`;
}

function mainParts({ translations, blocks }: PageView, written: Written): string[] {
  const anchors = translations.map(
    ({ title, path }): Inline => ({ text: title, to: encodeURI(path) }),
  );
  const also = anchors.flatMap((anchor, at) => (at === 0 ? [anchor] : [", ", anchor]));
  return [
    ...(also.length === 0 ? [] : [lineText(["Also in: ", ...also], written)]),
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
          return `- ${escapeInline(label)}: ${lines.join(", ")}`;
        })
        .join("\n");
    case "entries":
      return block.entries.map((entry) => entryText(entry, written)).join("\n");
    case "quotes":
      return block.quotes.map((quote) => quoteText(quote, written)).join("\n\n");
    case "citations":
      return written.nameOf === undefined ? citationLine(block, written.origin) : "";
    case "letters":
      return block.letters.map((letter) => lineText([letter], written, "inside")).join(" · ");
    case "paging": {
      const { page, pages, previous, next } = block.paging;
      const steps: Inline[] = [
        ...(previous === null ? [] : [{ text: "Previous page", to: previous }, " · "]),
        `Page ${page} of ${pages}`,
        ...(next === null ? [] : [" · ", { text: "Next page", to: next }]),
      ];
      return lineText(steps, written);
    }
    case "form":
      return formText(block.form, written);
    case "faults":
      return block.problems.map(({ message }) => `- ${escapeInline(message)}`).join("\n");
    case "search":
      return `Search: \`${written.origin}/search.md?q=WORDS\``;
  }
}

/** Tools give the citation before the text, in the form that is asked for. */
function citationLine(
  { path, reference }: Extract<Block, { kind: "citations" }>,
  origin: string,
): string {
  const url = pageUrl(origin, path);
  const pieces = apaCitation({ ...reference, url }).map((piece) =>
    typeof piece === "string" ? escapeInline(piece) : { italic: escapeInline(piece.italic) },
  );
  return `Cite as: ${citationText(pieces, (text) => `*${text}*`)}`;
}

/** The form's fields, for an agent to explain to its user. */
function formText({ action, fields }: VisitorForm, written: Written): string {
  const url = pageUrl(written.origin, action);
  const asked = fields.map(({ label, hint, isRequired, choices }) => {
    const notes = [...(isRequired ? [] : ["optional"]), ...choices.map((choice) => choice.label)];
    const hints = notes.length === 0 ? "" : ` (${escapeInline(notes.join("; "))})`;
    return `- ${escapeInline(label)}${hints}${hint === null ? "" : ` – ${escapeInline(hint)}`}`;
  });
  return `${lineText(["The form is at ", { code: url }, ":"], written)}\n\n${asked.join("\n")}`;
}

function entryText({ line, note }: Entry, written: Written): string {
  const text = lineText(line, written, "inside");
  return `- ${text}${note.length === 0 ? "" : `: ${lineText(note, written, "inside")}`}`;
}

function quoteText({ text, caution, caption }: Quote, written: Written): string {
  const words = typeof text === "string" ? escapeMarkdown(text) : text.markdown;
  const before = caution === null ? "" : `**${escapeInline(caution)}:**\n\n`;
  const lines = words.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
  const quoted = before + lines.join("\n");
  if (caption.length === 0) return quoted;
  const line = written.nameOf === undefined ? caption : withoutOwnTitle(caption, words, written);
  return `${quoted}\n\n— ${lineText(line, written, "inside")}`;
}

/** Where names replace links, a title that is the beginning of the text is only an address. */
function withoutOwnTitle(
  caption: readonly Inline[],
  words: string,
  { origin }: Written,
): readonly Inline[] {
  return caption.map((piece): Inline => {
    if (typeof piece === "string" || !("to" in piece) || !piece.to.startsWith("/")) return piece;
    const isStart = words.startsWith(piece.text.replace(/…$/u, "").trimEnd());
    return isStart ? { code: `${origin}${piece.to}` } : piece;
  });
}

/** Some characters need escaping only at the start of a line. */
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
  const { text, to } = piece;
  const { origin, nameOf } = written;
  if (nameOf !== undefined) return namedText({ text, to }, origin, nameOf);
  return knownLinks.written(`${text}\n${to}\n${origin}`, () => linkText({ text, to }, origin));
}

const knownLinks = new LinkCache();

function linkText({ text, to }: Anchor, origin: string): string {
  const destination = linkDestination(to, origin)?.markdown ?? to;
  return `[${escapeInline(foldSpace(text))}](${escapeDestination(destination)})`;
}

/** Links to other sites stay links. */
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
