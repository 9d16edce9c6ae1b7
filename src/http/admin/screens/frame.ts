import { formTokenOf } from "../../../access/people/sessions.ts";
import { html, type SafeHtml } from "../../../render/html.ts";
import { type HttpAnswer, wholeAnswer } from "../../exchange.ts";
import { FORM_TOKEN_FIELD } from "../own-page.ts";
import { ADMIN_HEADERS } from "../page.ts";
import type { ScreenVisit } from "./screen.ts";
import { ADMIN_STYLE_PATH } from "./style.ts";

interface Shown {
  title: string;
  content: SafeHtml;
  /** What went wrong with the form that was sent. */
  fault?: string | undefined;
  status?: number;
  /** Address of a script that makes the screen quicker; it works without. */
  script?: string;
}

/** A screen with the navigation around it. */
export function screenAnswer(
  { texts, parts, found, url }: Pick<ScreenVisit, "texts" | "parts" | "found"> & { url: string },
  { title, content, fault, status = 200, script }: Shown,
): HttpAnswer {
  const { name } = parts.reading.site();
  const { scopes } = found.actor;
  const mayAnswer = scopes.includes("requests:manage");
  const links: readonly (readonly [path: string, label: string, isOpen: boolean])[] = [
    ["/admin/desk", texts.nav.desk, true],
    ["/admin/content", texts.nav.content, true],
    ["/admin/drafts", texts.nav.drafts, true],
    ["/admin/requests", texts.nav.requests, mayAnswer],
    ["/admin/messages", texts.nav.messages, mayAnswer],
    ["/admin/keys", texts.nav.keys, scopes.includes("keys:manage")],
    ["/admin/people", texts.nav.people, scopes.includes("admins:manage")],
    ["/admin/settings", texts.nav.settings, scopes.includes("settings:write")],
    ["/admin/audit", texts.nav.audit, scopes.includes("audit:read")],
    ["/admin/account", texts.nav.account, true],
  ];
  const { text } = html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${name}</title>
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${ADMIN_STYLE_PATH}">
${script !== undefined && html`<script type="module" src="${script}"></script>\n`}</head>
<body>
<a class="skip" href="#main-content">${texts.nav.skip}</a>
<header>
<p class="site-name"><a href="/admin/desk">${name}</a></p>
<form class="find" role="search" action="/admin/content"><label class="visually-hidden" for="find">${texts.find.label}</label><input id="find" type="search" name="q" placeholder="${texts.find.label}"><button>${texts.find.button}</button></form>
<nav aria-label="${texts.nav.label}"><ul>
${links
  .filter(([, , isOpen]) => isOpen)
  .map(
    ([path, label]) =>
      html`<li><a href="${path}"${url.startsWith(path) && html` aria-current="page"`}>${label}</a></li>\n`,
  )}<li><a href="/">${texts.nav.site}</a></li>
</ul></nav>
</header>
<main id="main-content">
<h1>${title}</h1>
${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>\n`}${content}
</main>
</body>
</html>
`;
  return wholeAnswer(
    status,
    { ...ADMIN_HEADERS, "Content-Type": "text/html; charset=utf-8" },
    text,
  );
}

/** A form with one button, for an action on what the page shows. */
export function actionForm(
  { token }: Pick<ScreenVisit, "token">,
  path: string,
  {
    button,
    hidden = {},
    content,
    isQuiet = false,
  }: {
    button: string;
    hidden?: Readonly<Record<string, string | number>>;
    content?: SafeHtml;
    isQuiet?: boolean;
  },
): SafeHtml {
  return html`<form method="post" action="${path}" class="action">
${hiddenFields({ ...hidden, [FORM_TOKEN_FIELD]: formTokenOf(token) })}${content}<button${isQuiet && html` class="quiet"`}>${button}</button>
</form>
`;
}

export function hiddenFields(values: Readonly<Record<string, string | number>>): SafeHtml {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`${fields}`;
}
