import { AppError } from "../../../errors.ts";
import { extractTranscludedText } from "./inclusion.ts";
import type { WikiContext } from "./page-html.ts";
import { NAMESPACES, PageNames } from "./page-names.ts";
import { deriveWikiAddresses, type WikiAddresses } from "./wiki-addresses.ts";
import type { WikiPage, WikiSite } from "./wiki-dump.ts";
import { parseWikitext, type WikitextPart } from "./wikitext-parts.ts";

/** Facts about the whole wiki that are needed before its first page is converted. */
export interface WikiSurvey extends WikiContext {
  addresses: WikiAddresses;
  /** Maps the full title of a page to the full titles of the redirects to the page. */
  redirects: ReadonlyMap<string, readonly string[]>;
  /** Whether a redirect with this full title leads to a missing page. */
  isDeadRedirect(title: string): boolean;
}

/**
 * Limits on the templates in memory: on the total length, and on the length of each. A template beyond a
 * limit is treated as missing.
 */
const TEMPLATES_CHARACTERS_MAX = 8 * 1024 * 1024;
const TEMPLATE_CHARACTERS_MAX = 256 * 1024;
/** Maximum number of redirects that are followed one after another. */
const REDIRECTS_MAX = 5;

export async function surveyWiki(dump: AsyncIterable<WikiSite | WikiPage>): Promise<WikiSurvey> {
  let site: WikiSite = { kind: "site", name: "", base: "", language: "", namespaces: new Map() };
  let names = new PageNames(site.namespaces);
  const titles = new Set<string>();
  const targets = new Map<string, string>();
  const templates = new Map<string, string>();
  let charactersLeft = TEMPLATES_CHARACTERS_MAX;
  for await (const record of dump) {
    if (record.kind === "site") {
      site = record;
      names = new PageNames(site.namespaces);
      continue;
    }
    if (site.namespaces.size === 0) throw namelessDump();
    if (record.isHidden) continue;
    const name = names.parse(record.title);
    const title = names.full(name);
    const { length } = record.text;
    titles.add(title);
    if (record.redirect !== "") targets.set(title, names.full(names.parse(record.redirect)));
    else if (
      name.namespace === NAMESPACES.template &&
      length <= Math.min(charactersLeft, TEMPLATE_CHARACTERS_MAX)
    ) {
      templates.set(title, record.text);
      charactersLeft -= record.text.length;
    }
  }
  const finalTitle = (title: string) => targetOf(title, targets);
  const addresses = deriveWikiAddresses(site.base);
  const { pageUrl, fileUrl } = addresses;
  return {
    ...{ addresses, names, pageUrl, fileUrl, siteName: site.name },
    language: /^[a-z]{2,3}/.exec(site.language)?.[0] ?? "",
    redirects: Map.groupBy(targets.keys(), finalTitle),
    isDeadRedirect: (title) => !titles.has(finalTitle(title)) || targets.has(finalTitle(title)),
    hasPage: (title) => titles.has(title),
    templateParts: templateReader(templates, finalTitle),
  };
}

/**
 * The error for a dump without the names of its namespaces. Without these names, user pages and
 * discussions would be imported as articles.
 */
function namelessDump(): AppError {
  return new AppError("invalid", {
    en: "Cannot read the export: it does not name the namespaces of the wiki (siteinfo); export it again",
    de: "Der Export lässt sich nicht lesen: Er nennt die Namensräume des Wikis nicht (siteinfo); exportieren Sie noch einmal",
  });
}

function targetOf(title: string, targets: ReadonlyMap<string, string>): string {
  let at = title;
  for (let steps = 0; steps < REDIRECTS_MAX; steps += 1) at = targets.get(at) ?? at;
  return at;
}

/** Returns a function that parses each template on first use and caches the result. */
function templateReader(
  templates: ReadonlyMap<string, string>,
  finalTitle: (title: string) => string,
): WikiContext["templateParts"] {
  const read = new Map<string, readonly WikitextPart[]>();
  return (title) => {
    const known = read.get(title);
    const text = templates.get(finalTitle(title));
    if (known !== undefined || text === undefined) return known;
    const parts = parseWikitext(extractTranscludedText(text));
    read.set(title, parts);
    return parts;
  };
}
