import { formTokenOf } from "../../access/people/sessions.ts";
import { html, type SafeHtml } from "../../render/html.ts";
import { THEME_PATH } from "../../render/theme.ts";
import { type HttpAnswer, wholeAnswer } from "../exchange.ts";
import { FORM_TOKEN_FIELD } from "./own-page.ts";

/**
 * Pages of administrators are never cached, and send no address to other sites. They run the scripts of
 * this site alone, which cannot make HTML from text.
 */
export const ADMIN_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex",
};

export interface ShownPage {
  title: string;
  siteName: string;
  /** What went wrong with the form that was sent. */
  fault?: string | undefined;
  content: SafeHtml;
}

export function pageAnswer(
  { title, siteName, fault, content }: ShownPage,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${siteName}</title>
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${THEME_PATH}">
</head>
<body>
<main id="main-content">
<h1>${title}</h1>
${fault !== undefined && html`<p role="alert">${fault}.</p>\n`}${content}
</main>
</body>
</html>
`;
  const all = { ...ADMIN_HEADERS, "Content-Type": "text/html; charset=utf-8", ...headers };
  return wholeAnswer(status, all, text);
}

/** Redirects after a POST, so that reloading sends nothing again. */
export function redirectAnswer(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return { status: 303, headers: { ...ADMIN_HEADERS, Location: path, ...headers }, body: null };
}

interface Field {
  name: string;
  label: string;
  type: "text" | "email" | "password";
  autocomplete: string;
}

/** A form that is sent to `path`; `token` is that of the session, if there is one. */
export function formHtml(
  path: string,
  {
    fields,
    button,
    token,
    hidden = [],
  }: {
    fields: readonly Field[];
    button: string;
    token: string | null;
    hidden?: readonly (readonly [name: string, value: string])[];
  },
): SafeHtml {
  const values =
    token === null ? hidden : [...hidden, [FORM_TOKEN_FIELD, formTokenOf(token)] as const];
  return html`<form method="post" action="${path}">
${values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${fields.map(
  ({ name, label, type, autocomplete }) =>
    html`<p><label>${label} <input name="${name}" type="${type}" autocomplete="${autocomplete}" required></label></p>\n`,
)}<p><button>${button}</button></p>
</form>
`;
}

export const FIELDS = {
  email: { name: "email", label: "E-mail address", type: "email", autocomplete: "username" },
  name: { name: "name", label: "Your name", type: "text", autocomplete: "name" },
  password: {
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "current-password",
  },
  newPassword: {
    name: "new-password",
    label: "New password, at least 12 characters",
    type: "password",
    autocomplete: "new-password",
  },
  code: { name: "code", label: "Code", type: "text", autocomplete: "one-time-code" },
} as const satisfies Record<string, Field>;
