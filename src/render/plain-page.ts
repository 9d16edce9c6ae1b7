import { html, type SafeHtml } from "./html.ts";
import { writingDirectionOf } from "./languages.ts";
import { FIXED_STYLE_SHEET_PATH } from "./looks/style-sheet.ts";

interface PlainPage {
  language: string;
  /** The title in the browser's tab. */
  title: string;
  main: SafeHtml;
}

/** A page without any of the site's content, used to explain why the content cannot be shown. */
export function plainPageHtml({ language, title, main }: PlainPage): string {
  return html`<!doctype html>
<html lang="${language}" dir="${writingDirectionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${FIXED_STYLE_SHEET_PATH}">
</head>
<body>
<main id="main-content">
${main}</main>
</body>
</html>
`.text;
}
