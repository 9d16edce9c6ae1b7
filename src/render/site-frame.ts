import type { ReadingCopy } from "../content/library.ts";
import { navigationOf } from "../content/navigation.ts";
import type { SiteProfile } from "../content/site.ts";
import { html, type SafeHtml } from "./html.ts";
import { searchForm } from "./search-form.ts";
import { siteEntities, structuredDataStart } from "./structured-data.ts";
import { THEME_PATH } from "./theme.ts";

/** Where the search stands in the page itself. */
const SEARCH_PATH = "/search";

/** What every page of a site says of the site, as HTML; what is long is bytes, which need only be copied. */
export interface SiteFrame {
  origin: string;
  name: string;
  /** Follows the title of a page. */
  titleEnd: string;
  /** What of the head is the same for all pages. */
  links: Uint8Array;
  /** Stands for pages without a picture. */
  logo: string;
  /** The structured data, up to what is told of the page. */
  data: Uint8Array;
  /** Name, search and main links, by the encoded path of the page they stand on where they know it. */
  headers: ReadonlyMap<string, Uint8Array>;
  /** The same on any other page. */
  headerElsewhere: Uint8Array;
  licence: string;
  email: string;
}

interface KnownFrame {
  version: number;
  origin: string;
  frame: SiteFrame;
}

const frames = new WeakMap<ReadingCopy, KnownFrame>();

/** Made once for each state of what is published. */
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
    bytes(html`<p class="site-name"><a href="/">${site.name}</a></p>
${here !== SEARCH_PATH && search}${navigation(here)}`);
  return {
    origin,
    name: html`${site.name}`.text,
    titleEnd: html` – ${site.name}`.text,
    links:
      bytes(html`<link rel="ai-catalog" type="application/ai-catalog+json" href="/.well-known/ai-catalog.json">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${site.name}">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${THEME_PATH}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fdfcf9">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#17181b">
`),
    logo: logo === undefined ? "" : html`<meta property="og:image" content="${logo}">\n`.text,
    data: Buffer.from(structuredDataStart(siteEntities(site, origin))),
    headers: new Map([SEARCH_PATH, ...links.map(({ to }) => to)].map((to) => [to, header(to)])),
    headerElsewhere: header(null),
    licence: licenceLine(site),
    email: html`${site.contact.email}`.text,
  };
}

function bytes({ text }: SafeHtml): Uint8Array {
  return Buffer.from(text);
}

function licenceLine({ licence }: SiteProfile): string {
  if (licence === undefined) return "";
  const { name, url } = licence;
  return html`The association’s own texts: ${url === undefined ? name : html`<a rel="license" href="${url}">${name}</a>`}. `
    .text;
}
