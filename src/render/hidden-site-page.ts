import type { SiteTexts } from "../texts/site/english.ts";
import { html } from "./html.ts";
import { plainPageHtml } from "./plain-page.ts";

/** The page that a hidden site shows at every address; `name` is the name of the site. */
export function hiddenSiteHtml({ language, opening }: SiteTexts, name: string): string {
  const main = html`<p>${name}</p>
<h1>${opening.title}</h1>
<p>${opening.text}</p>
`;
  return plainPageHtml({ language, title: `${opening.title} – ${name}`, main });
}
