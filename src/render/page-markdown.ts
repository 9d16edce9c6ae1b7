import { pageUrl } from "../content/addresses/addresses.ts";
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
    ...mainParts(view, origin),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** As `pageMarkdown`, without front matter and index link. */
export function mainMarkdown(view: PageView, { origin }: Pick<MarkdownContext, "origin">): string {
  return `${[heading(view), ...mainParts(view, origin)].join("\n\n")}\n`;
}

function heading({ title }: PageView): string {
  return `# ${escapeMarkdown(title)}`;
}

function mainParts({ translations, blocks }: PageView, origin: string): string[] {
  const anchors = translations.map(
    ({ title, path }): Inline => ({ text: title, to: encodeURI(path) }),
  );
  const also = anchors.flatMap((anchor, at) => (at === 0 ? [anchor] : [", ", anchor]));
  return [
    ...(also.length === 0 ? [] : [lineText(["Also in: ", ...also], origin)]),
    ...blocks.map((block) => blockText(block, origin)).filter((text) => text !== ""),
  ];
}

function blockText(block: Block, origin: string): string {
  switch (block.kind) {
    case "lead":
      return escapeMarkdown(block.text);
    case "body":
      return block.markdown;
    case "source":
      return renderBody(block.markdown, { origin }).markdown;
    case "heading":
      return `## ${escapeMarkdown(block.text)}`;
    case "paragraph":
      return lineText(block.line, origin);
    case "facts":
      return block.facts
        .map(({ label, values }) => {
          const lines = values.map((line) => lineText(line, origin, "inside"));
          return `- ${escapeInline(label)}: ${lines.join(", ")}`;
        })
        .join("\n");
    case "entries":
      return block.entries.map((entry) => entryText(entry, origin)).join("\n");
    case "quotes":
      return block.quotes.map((quote) => quoteText(quote, origin)).join("\n\n");
    case "letters":
      return block.letters.map((letter) => lineText([letter], origin, "inside")).join(" · ");
    case "paging": {
      const { page, pages, previous, next } = block.paging;
      const steps: Inline[] = [
        ...(previous === null ? [] : [{ text: "Previous page", to: previous }, " · "]),
        `Page ${page} of ${pages}`,
        ...(next === null ? [] : [" · ", { text: "Next page", to: next }]),
      ];
      return lineText(steps, origin);
    }
    case "form":
      return formText(block.form, origin);
    case "faults":
      return block.problems.map(({ message }) => `- ${escapeInline(message)}`).join("\n");
    case "search":
      return `Search: \`${origin}/search.md?q=WORDS\``;
  }
}

/** The form's fields, for an agent to explain to its user. */
function formText({ action, fields }: VisitorForm, origin: string): string {
  const url = pageUrl(origin, action);
  const asked = fields.map(({ label, hint, isRequired, choices }) => {
    const notes = [...(isRequired ? [] : ["optional"]), ...choices.map((choice) => choice.label)];
    const hints = notes.length === 0 ? "" : ` (${escapeInline(notes.join("; "))})`;
    return `- ${escapeInline(label)}${hints}${hint === null ? "" : ` – ${escapeInline(hint)}`}`;
  });
  return `${lineText(["The form is at ", { code: url }, ":"], origin)}\n\n${asked.join("\n")}`;
}

function entryText({ line, note }: Entry, origin: string): string {
  const text = lineText(line, origin, "inside");
  return `- ${text}${note.length === 0 ? "" : `: ${lineText(note, origin, "inside")}`}`;
}

function quoteText({ text, caption }: Quote, origin: string): string {
  const words = typeof text === "string" ? escapeMarkdown(text) : text.markdown;
  const quoted = words
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
  return caption.length === 0 ? quoted : `${quoted}\n\n— ${lineText(caption, origin, "inside")}`;
}

/** Some characters need escaping only at the start of a line. */
function lineText(
  line: readonly Inline[],
  origin: string,
  place: "start" | "inside" = "start",
): string {
  const text = line.map((piece) => inlineText(piece, origin)).join("");
  return place === "start" ? escapeLineStart(text) : text;
}

function inlineText(piece: Inline, origin: string): string {
  if (typeof piece === "string") return escapeInline(foldSpace(piece));
  if ("code" in piece) return codeSpan(piece.code);
  if ("match" in piece) return `**${escapeInline(foldSpace(piece.match))}**`;
  const { text, to } = piece;
  return knownLinks.written(`${text}\n${to}\n${origin}`, () => linkText({ text, to }, origin));
}

const knownLinks = new LinkCache();

function linkText({ text, to }: Anchor, origin: string): string {
  const destination = linkDestination(to, origin)?.markdown ?? to;
  return `[${escapeInline(foldSpace(text))}](${escapeDestination(destination)})`;
}
