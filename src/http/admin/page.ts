import { csrfTokenOf } from "../../access/people/sessions.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import { type HttpResponse, responseWithContentLength } from "../exchange.ts";
import { CSRF_TOKEN_FIELD } from "./csrf.ts";
import { ADMIN_STYLE_SHEET_PATH } from "./screens/frame/style.ts";
import type { Texts } from "./texts/english.ts";

/**
 * Administrators' pages are never cached, and send no referrer. They run only this site's scripts,
 * which cannot create HTML from text.
 */
export const ADMIN_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex",
};

export interface AdminPage {
  texts: Texts;
  title: string;
  siteName: string;
  /** The error of the submitted form. */
  fault?: string | undefined;
  content: SafeHtml;
  /** Content above the page's content; absent: the name of the site. */
  header?: SafeHtml;
  /** Addresses of scripts that enhance the page, which also works without them. */
  scripts?: readonly string[];
  /** Seconds after which a browser without scripts loads the page again; absent: never. */
  refreshSeconds?: number | undefined;
}

/** Renders an administrators' page as a complete HTML document. */
export function adminPageResponse(
  { texts, title, siteName, fault, content, header, scripts = [], refreshSeconds }: AdminPage,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const { text } = html`<!doctype html>
<html lang="${texts.language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${siteName}</title>
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${ADMIN_STYLE_SHEET_PATH}">
${scripts.map((path) => html`<script type="module" fetchpriority="low" src="${path}"></script>\n`)}${refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>\n`}</head>
<body${header === undefined && html` class="alone"`} data-offline="${texts.offline}" data-failed="${texts.failed}">
${header ?? html`<header><p class="site-name"><a href="/">${siteName}</a></p></header>`}
<main id="main-content">
<h1>${title}</h1>
${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>\n`}${content}
</main>
</body>
</html>
`;
  const allHeaders = { ...ADMIN_HEADERS, "Content-Type": "text/html; charset=utf-8", ...headers };
  return responseWithContentLength(status, allHeaders, text);
}

/**
 * Redirects with a status that turns a POST into a GET, so that reloading the page does not submit
 * the form again.
 */
export function redirectResponse(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status: 303, headers: { ...ADMIN_HEADERS, Location: path, ...headers }, body: null };
}

/** Redirects to a page, which then reports that the change was saved. */
export function redirectAfterSave(path: string): HttpResponse {
  return redirectResponse(`${path}?saved=true`);
}

/** Redirects to the screen of an item, which then reports the new status. */
export function redirectAfterItemChange(id: string): HttpResponse {
  return redirectResponse(`/admin/content/${id}?${CHANGED_PARAMETER}=true`);
}

/** Whether the browser was redirected to a page by {@link redirectAfterItemChange}. */
export function isRedirectAfterItemChange({ searchParams }: URL): boolean {
  return searchParams.has(CHANGED_PARAMETER);
}

const CHANGED_PARAMETER = "changed";

/** Whether the browser was redirected to a page by {@link redirectAfterSave}. */
export function isRedirectAfterSave({ searchParams }: URL): boolean {
  return searchParams.get("saved") === "true";
}

type FieldName = "email" | "name" | "password" | "newPassword" | "code";

interface Field {
  name: string;
  type: "text" | "email" | "password";
  autocomplete: string;
  charactersMin?: number;
}

const FIELDS: Readonly<Record<FieldName, Field>> = {
  email: { name: "email", type: "email", autocomplete: "username" },
  name: { name: "name", type: "text", autocomplete: "name" },
  password: { name: "password", type: "password", autocomplete: "current-password" },
  newPassword: {
    name: "new-password",
    type: "password",
    autocomplete: "new-password",
    charactersMin: 12,
  },
  code: { name: "code", type: "text", autocomplete: "one-time-code" },
};

/** A form that posts to `path`. `token` is the session's token; null without a session. */
export function formHtml(
  { texts, token }: { texts: Texts; token: string | null },
  path: string,
  {
    fields,
    button,
    hidden = [],
    isQuiet = false,
  }: {
    fields: readonly FieldName[];
    button: string;
    hidden?: readonly (readonly [name: string, value: string])[];
    isQuiet?: boolean;
  },
): SafeHtml {
  const values =
    token === null ? hidden : [...hidden, [CSRF_TOKEN_FIELD, csrfTokenOf(token)] as const];
  return html`<form method="post" action="${path}" class="narrow">
${values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${fields.map(
  (field) => {
    const { name, type, autocomplete, charactersMin } = FIELDS[field];
    return html`<div class="field"><label>${texts.entering.fields[field]} <input name="${name}" type="${type}" autocomplete="${autocomplete}"${charactersMin !== undefined && html` minlength="${charactersMin}"`} autocapitalize="none" spellcheck="false" required></label></div>\n`;
  },
)}<p><button${isQuiet && html` class="quiet"`}>${button}</button></p>
</form>
`;
}
