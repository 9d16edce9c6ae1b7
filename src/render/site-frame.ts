import type { ReadingCopy } from "../content/library.ts";
import { navigationOf } from "../content/navigation.ts";
import type { SiteProfile } from "../content/site.ts";
import { html } from "./html.ts";
import { searchForm } from "./search-form.ts";
import { siteEntities } from "./structured-data.ts";

/** What every page of a site says of the site, as HTML. */
export interface SiteFrame {
  origin: string;
  name: string;
  /** Follows the title of a page. */
  titleEnd: string;
  /** Of the structured data. */
  entities: string;
  /** Stands for pages without a picture. */
  logo: string;
  search: string;
  /** The main links, by the encoded path of the page they stand on where that is one of them. */
  navigation: ReadonlyMap<string, string>;
  /** The main links on any other page. */
  navigationElsewhere: string;
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
    )}</ul></nav>\n`.text;
  return {
    origin,
    name: html`${site.name}`.text,
    titleEnd: html` – ${site.name}`.text,
    entities: siteEntities(site, origin),
    logo: logo === undefined ? "" : html`<meta property="og:image" content="${logo}">\n`.text,
    search: searchForm({ text: "", types: [], chosen: null, place: "header" }).text,
    navigation: new Map(links.map(({ to }) => [to, navigation(to)])),
    navigationElsewhere: navigation(null),
    licence: licenceLine(site),
    email: html`${site.contact.email}`.text,
  };
}

function licenceLine({ licence }: SiteProfile): string {
  if (licence === undefined) return "";
  const { name, url } = licence;
  return html`The association’s own texts: ${url === undefined ? name : html`<a rel="license" href="${url}">${name}</a>`}. `
    .text;
}
