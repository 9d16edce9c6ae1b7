import { SEARCH_PATH } from "../../content/addresses/paths.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type { Anchor } from "../../content/pages/view.ts";
import {
  type Edition,
  editionForItemLanguage,
  editionPath,
  profileTextLanguage,
  slotTextLanguage,
} from "../../content/site/editions.ts";
import type { MarkdownSlot } from "../../content/site/look/look.ts";
import { buildNavigation, type NavigationEntry } from "../../content/site/navigation.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import { editorsEmail } from "../../content/site/starter-site.ts";
import { languageAttributes } from "../blocks/block-html.ts";
import { adaptBodyToPage } from "../blocks/page-body.ts";
import { renderBody } from "../body/body.ts";
import { html, type SafeHtml, trustedHtml } from "../html.ts";
import { styleSheet } from "../looks/style-sheet.ts";
import { type PictureContext, pictureFinder } from "../pictures.ts";
import { searchFormHtml } from "../search-form.ts";
import { buildSiteEntities } from "../structured-data.ts";

/**
 * The slots for editors' texts before and after the content of every page. All other slots belong to
 * certain pages.
 */
const FRAME_SLOTS = ["header", "footer"] as const satisfies readonly MarkdownSlot[];

/** The parts that all pages of an edition share: the header, the footer and tags for the `head` element. */
export interface SiteFrame {
  /** The site's name, as plain text. */
  name: string;
  /** The editors' email address, as plain text; null: not set. */
  email: string | null;
  timeZone: string;
  /** Links for the `head` element. */
  links: SafeHtml;
  /** Preview picture for pages without their own. */
  logo: SafeHtml | null;
  /** JSON-LD about the site. */
  entities: string;
  /**
   * Page headers (name, search and main navigation), keyed by encoded path: one for each page that the
   * navigation can mark as current, and one for the search page.
   */
  headers: ReadonlyMap<string, SafeHtml>;
  /** The header for pages that `headers` lacks. */
  defaultHeader: SafeHtml;
  licence: SafeHtml | null;
  /** Editors' texts in the header and the footer. */
  slots: Readonly<Partial<Record<MarkdownSlot, SafeHtml>>>;
  showsPicturesFromElsewhere: boolean;
}

interface CachedFrames {
  version: number;
  origin: string;
  /** The frames, keyed by the language of the edition. */
  frames: Map<string, SiteFrame>;
}

const cachedFrames = new WeakMap<ReadingCopy, CachedFrames>();

/** The frame for pages in a language, cached until something is published. */
export function siteFrame(
  reading: ReadingCopy,
  { origin, language }: { origin: string; language: string },
): SiteFrame {
  const edition = editionForItemLanguage(reading, language);
  const version = reading.version();
  const cached = cachedFrames.get(reading);
  const isCurrent = cached?.version === version && cached.origin === origin;
  const current = isCurrent ? cached : { version, origin, frames: new Map<string, SiteFrame>() };
  cachedFrames.set(reading, current);
  const frame = current.frames.get(edition.language) ?? createFrame(reading, origin, edition);
  current.frames.set(edition.language, frame);
  return frame;
}

function createFrame(reading: ReadingCopy, origin: string, edition: Edition): SiteFrame {
  const { texts, site } = edition;
  // The header of the search page has no search form, because the page itself has one.
  const searchPath = editionPath(edition, SEARCH_PATH);
  const { logo } = site.organization;
  const links = buildNavigation(reading, edition);
  const label = texts.frame.mainNavigation;
  const navigation = (here: string | null) => navigationHtml(links, { label, here });
  const search = searchFormHtml({
    action: searchPath,
    text: "",
    types: [],
    chosen: null,
    place: "header",
    texts,
  });
  const name = siteName(edition);
  const header = (here: string | null) =>
    html`${name}<button class="menu-button" type="button" popovertarget="menu">${texts.frame.menu}</button>
<div class="menu" id="menu" popover>
<button class="menu-button" type="button" popovertarget="menu" popovertargetaction="hide">${texts.frame.closeMenu}</button>
${here !== searchPath && search}${navigation(here)}</div>
`;
  return {
    name: site.name,
    email: editorsEmail(site),
    timeZone: site.timeZone,
    links: headLinks(site),
    logo: logo === undefined ? null : html`<meta property="og:image" content="${logo}">\n`,
    entities: buildSiteEntities(site, origin),
    headers: new Map([searchPath, ...addressesIn(links)].map((to) => [to, header(to)])),
    defaultHeader: header(null),
    licence: licenceLine(site, edition),
    slots: slotsOf(edition, { origin, findPicture: pictureFinder((id) => reading.medium(id)) }),
    showsPicturesFromElsewhere: site.look.picturesFromElsewhere,
  };
}

function addressesIn(links: readonly NavigationEntry[]): string[] {
  return links
    .flatMap(({ to, entries }) => [to, ...entries.map((below) => below.to)])
    .filter((to) => to !== null);
}

function navigationHtml(
  links: readonly NavigationEntry[],
  { label, here }: { label: string; here: string | null },
): SafeHtml {
  const link = ({ text, to }: Anchor) => {
    const isElsewhere = !to.startsWith("/");
    return html`<a href="${to}"${to === here && html` aria-current="page"`}${isElsewhere && html` rel="external"`}>${text}</a>`;
  };
  const items = links.map(({ text, to, entries }) => {
    if (to !== null && entries.length === 0) return html`<li>${link({ text, to })}</li>`;
    const all = to === null ? entries : [{ text, to }, ...entries];
    return html`<li><details name="menu"><summary>${text}</summary><ul>${all.map((below) => html`<li>${link(below)}</li>`)}</ul></details></li>`;
  });
  return html`<nav class="main-links" aria-label="${label}"><ul>${items}</ul></nav>\n`;
}

function headLinks({ name, look }: SiteProfile): SafeHtml {
  const { path, preload, paper } = styleSheet(look);
  const { favicon = "/favicon.svg" } = look;
  return html`<link rel="ai-catalog" type="application/ai-catalog+json" href="/.well-known/ai-catalog.json">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${name}">
<link rel="icon" href="${favicon}"${favicon.endsWith(".svg") && html` type="image/svg+xml"`}>
${preload !== null && html`<link rel="preload" as="font" type="font/woff2" href="${preload}" crossorigin>\n`}<link rel="stylesheet" href="${path}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${paper.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${paper.dark}">
`;
}

function siteName(edition: Edition): SafeHtml {
  const { name, look } = edition.site;
  const attributes = languageAttributes(profileTextLanguage(edition, "name"), edition);
  const picture = look.logo !== undefined && html`<img class="logo" src="${look.logo}" alt="">`;
  return html`<p class="site-name"><a href="${editionPath(edition, "/")}">${picture}<span${attributes}>${name}</span></a></p>\n`;
}

function slotsOf(edition: Edition, { origin, findPicture }: PictureContext): SiteFrame["slots"] {
  const { look } = edition.site;
  const rendered: Partial<Record<MarkdownSlot, SafeHtml>> = {};
  for (const slot of FRAME_SLOTS) {
    const markdown = look.slots[slot]?.trim() ?? "";
    if (markdown === "") continue;
    const isBelowOthers = slot !== "header";
    const body = renderBody(markdown, { origin, findPicture, isBelowOthers, name: slot }).html;
    const showsPicturesFromElsewhere = look.picturesFromElsewhere;
    const shown = trustedHtml(
      adaptBodyToPage(body, { texts: edition.texts, showsPicturesFromElsewhere }),
    );
    const attributes = languageAttributes(slotTextLanguage(edition, slot), edition);
    rendered[slot] = attributes === null ? shown : html`<div${attributes}>${shown}</div>`;
  }
  return rendered;
}

function licenceLine({ licence }: SiteProfile, { texts }: Edition): SafeHtml | null {
  if (licence === undefined) return null;
  const { name, url } = licence;
  const link = url === undefined ? html`${name}` : html`<a rel="license" href="${url}">${name}</a>`;
  return html`${texts.frame.licence(link)} `;
}
