import type { ReadingCopy } from "../content/library.ts";
import { navigationOf } from "../content/site/navigation.ts";
import type { SiteProfile } from "../content/site/site.ts";
import { html, type SafeHtml } from "./html.ts";
import { searchForm } from "./search-form.ts";
import { siteEntities } from "./structured-data.ts";
import { THEME_PATH } from "./theme.ts";

/** On the search page, the form is part of the page itself. */
const SEARCH_PATH = "/search";

/** The parts of a page that are the same across the site. */
export interface SiteFrame {
  /** Plain text, as is `email`. */
  name: string;
  email: string;
  /** For the head. */
  links: SafeHtml;
  /** Preview picture for pages without their own. */
  logo: SafeHtml | null;
  /** JSON-LD about the site. */
  entities: string;
  /** Name, search and main navigation, by encoded path for pages that the navigation marks as current. */
  headers: ReadonlyMap<string, SafeHtml>;
  /** The header for any other page. */
  headerElsewhere: SafeHtml;
  licence: SafeHtml | null;
}

interface KnownFrame {
  version: number;
  origin: string;
  frame: SiteFrame;
}

const frames = new WeakMap<ReadingCopy, KnownFrame>();

/** Cached per version of the reading copy. */
export function siteFrame(reading: ReadingCopy, origin: string): SiteFrame {
  const version = reading.version();
  const known = frames.get(reading);
  if (known?.version === version && known.origin === origin) return known.frame;
  const frame = createFrame(reading, origin);
  frames.set(reading, { version, origin, frame });
  return frame;
}

function createFrame(reading: ReadingCopy, origin: string): SiteFrame {
  const site = reading.site();
  const { logo } = site.organization;
  const links = navigationOf(reading);
  const navigation = (here: string | null) =>
    html`<nav class="main-links" aria-label="Main"><ul>${links.map(
      ({ text, to }) =>
        html`<li><a href="${to}"${to === here && html` aria-current="page"`}>${text}</a></li>`,
    )}</ul></nav>\n`;
  const search = searchForm({ text: "", types: [], chosen: null, place: "header" });
  const header = (here: string | null) =>
    html`<p class="site-name"><a href="/">${site.name}</a></p>
${here !== SEARCH_PATH && search}${navigation(here)}`;
  return {
    name: site.name,
    email: site.contact.email,
    links: html`<link rel="ai-catalog" type="application/ai-catalog+json" href="/.well-known/ai-catalog.json">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${site.name}">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${THEME_PATH}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fdfcf9">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#17181b">
`,
    logo: logo === undefined ? null : html`<meta property="og:image" content="${logo}">\n`,
    entities: siteEntities(site, origin),
    headers: new Map([SEARCH_PATH, ...links.map(({ to }) => to)].map((to) => [to, header(to)])),
    headerElsewhere: header(null),
    licence: licenceLine(site),
  };
}

function licenceLine({ licence }: SiteProfile): SafeHtml | null {
  if (licence === undefined) return null;
  const { name, url } = licence;
  return html`The association’s own texts: ${url === undefined ? name : html`<a rel="license" href="${url}">${name}</a>`}. `;
}
