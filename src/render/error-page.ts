import { html } from "./html.ts";
import { escapeInline, escapeMarkdown } from "./markdown-text.ts";
import { THEME_PATH } from "./theme.ts";

/** An error for a human reader. The page depends on no content, which may be what failed. */
export interface ShownError {
  /** As in `400 Bad Request`. */
  title: string;
  detail: string;
  requestId?: string;
}

export function errorHtml({ title, detail, requestId }: ShownError): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${THEME_PATH}">
</head>
<body>
<main id="main-content">
<h1>${title}</h1>
<p>${detail}.</p>
${requestId !== undefined && html`<p>Request <code>${requestId}</code></p>\n`}<p><a href="/">Home page</a></p>
</main>
</body>
</html>
`.text;
}

export function errorMarkdown({ title, detail, requestId }: ShownError): string {
  const request = requestId === undefined ? "" : `Request ${requestId}\n\n`;
  return `# ${escapeMarkdown(title)}\n\n${escapeInline(detail)}.\n\n${request}[Guide to the site](/llms.txt)\n`;
}
