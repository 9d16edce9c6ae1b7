import type { Anchor, Block, Inline, Paging, Quote } from "../content/pages/view.ts";
import { renderBody } from "./body/body.ts";
import { citationsHtml } from "./citations-html.ts";
import { html, type SafeHtml, trusted } from "./html.ts";
import { directionOf } from "./languages.ts";
import { searchForm } from "./search-form.ts";
import { faultSummary, visitorForm } from "./visitor-form.ts";

interface PageContext {
  origin: string;
  /** Language of the page; text in another language gets a `lang` attribute. */
  language: string;
}

export function blockHtml(block: Block, context: PageContext): SafeHtml {
  switch (block.kind) {
    case "lead":
      return html`<p class="lead">${block.text}</p>\n`;
    case "body":
      return html`<div class="text">${trusted(block.html)}</div>\n`;
    case "source":
      return html`<div class="text">${trusted(renderBody(block.markdown, context).html)}</div>\n`;
    case "heading":
      return html`<h2 id="${block.id}">${block.text}</h2>\n`;
    case "paragraph":
      return html`<p>${lineHtml(block.line, context)}</p>\n`;
    case "facts":
      return html`<dl class="facts">\n${block.facts.map(
        ({ label, values }) =>
          html`<div><dt>${label}</dt>${values.map((line) => html`<dd>${lineHtml(line, context)}</dd>`)}</div>\n`,
      )}</dl>\n`;
    case "entries":
      return html`<ul class="entries">\n${block.entries.map(
        ({ line, note }) =>
          html`<li><p>${lineHtml(line, context)}</p>${note.length > 0 && html`<p class="note">${lineHtml(note, context)}</p>`}</li>\n`,
      )}</ul>\n`;
    case "quotes":
      return html`${block.quotes.map((quote) => quoteHtml(quote, context))}`;
    case "citations":
      return citationsHtml(block, context);
    case "letters":
      return html`<nav class="letters" aria-label="Letters"><ul>${block.letters.map(
        (letter) => html`<li>${lineHtml([letter], context)}</li>`,
      )}</ul></nav>\n`;
    case "paging":
      return pagingHtml(block.paging);
    case "form":
      return visitorForm(block.form, block.filled);
    case "faults":
      return faultSummary(block.form, block.problems);
    case "search":
      return searchForm({ ...block, place: "page" });
  }
}

function quoteHtml(quote: Quote, context: PageContext): SafeHtml {
  const { text, caution, caption } = quote;
  const words = typeof text === "string" ? html`<p>${text}</p>` : trusted(text.html);
  const language = languageAttributes(quote.language, context);
  const before = caution !== null && html`<p class="caution">${caution}</p>\n`;
  if (caption.length === 0) {
    return html`${before}<blockquote class="saying"${language}>${words}</blockquote>\n`;
  }
  return html`<figure class="quote">\n${before}<blockquote${language}>${words}</blockquote>\n<figcaption>${lineHtml(caption, context)}</figcaption>\n</figure>\n`;
}

function lineHtml(line: readonly Inline[], context: PageContext): SafeHtml[] {
  return line.map((piece) => {
    if (typeof piece === "string") return html`${piece}`;
    if ("code" in piece) return html`<code>${piece.code}</code>`;
    if ("match" in piece) return html`<mark>${piece.match}</mark>`;
    const { text, to, language = context.language } = piece;
    return linkHtml({ text, to, language }, context);
  });
}

function linkHtml({ text, to, language }: Required<Anchor>, context: PageContext): SafeHtml {
  const isElsewhere = /^https?:/.test(to);
  return html`<a href="${to}"${isElsewhere && trusted(' rel="external"')}${languageAttributes(language, context)}>${text}</a>`;
}

function pagingHtml({ page, pages, previous, next }: Paging): SafeHtml {
  return html`<nav class="paging" aria-label="Pages">${previous !== null && html`<a rel="prev" href="${previous}">Previous page</a>`}<span>Page ${page} of ${pages}</span>${next !== null && html`<a rel="next" href="${next}">Next page</a>`}</nav>\n`;
}

/** Marks text in another language than the page. */
function languageAttributes(
  language: string,
  context: Pick<PageContext, "language">,
): SafeHtml | null {
  if (language === context.language) return null;
  const direction = directionOf(language);
  const turned = direction !== directionOf(context.language);
  return html` lang="${language}"${turned && html` dir="${direction}"`}`;
}
