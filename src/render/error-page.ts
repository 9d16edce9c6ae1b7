import type { SiteTexts } from "../texts/site/english.ts";
import { html } from "./html.ts";
import { escapeInline, escapeMarkdown } from "./markdown-text.ts";
import { plainPageHtml } from "./plain-page.ts";

/**
 * An error shown to a reader. Its page uses none of the site's content, because reading content may
 * have failed.
 */
export interface ShownError {
  status: number;
  /** The title, such as `400 Bad Request`. */
  title: string;
  /** The exact reason, in English. */
  detail: string;
  requestId?: string;
}

/**
 * A page for an error. The detail is in English. On pages in other languages, a sentence about this
 * kind of error precedes the detail.
 */
export function errorHtml(error: ShownError, texts: SiteTexts): string {
  const { status, detail, requestId } = error;
  const { language, errors } = texts;
  const isEnglish = language === "en";
  const title = isEnglish ? error.title : String(status);
  const reason = isEnglish
    ? html`<p>${detail}.</p>`
    : html`<p>${errors[statusWithText(status)]}</p>
<p lang="en" dir="ltr">${detail}.</p>`;
  const main = html`<h1>${title}</h1>
${reason}
${requestId !== undefined && html`<p>${errors.request} <code>${requestId}</code></p>\n`}<p><a href="/">${errors.homePage}</a></p>
`;
  return plainPageHtml({ language, title, main });
}

/** The status whose text is shown: the given status if it has a text, otherwise 400 or 500. */
function statusWithText(status: number) {
  const kinds = [400, 403, 404, 405, 413, 415, 429, 500, 503] as const;
  return kinds.find((kind) => kind === status) ?? (status < 500 ? 400 : 500);
}

export function errorMarkdown({ title, detail, requestId }: ShownError): string {
  const request = requestId === undefined ? "" : `Request ${requestId}\n\n`;
  return `# ${escapeMarkdown(title)}\n\n${escapeInline(detail)}.\n\n${request}[Guide to the site](/llms.txt)\n`;
}
