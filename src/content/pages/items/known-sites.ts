/** Names of well-known sites, keyed by domain. */
const SITE_NAMES: Readonly<Record<string, string>> = {
  "archive.org": "Internet Archive",
  "d-nb.info": "Deutsche Nationalbibliothek",
  "gutenberg.org": "Project Gutenberg",
  "id.loc.gov": "Library of Congress",
  "isni.org": "ISNI",
  "openlibrary.org": "Open Library",
  "orcid.org": "ORCID",
  "standardebooks.org": "Standard Ebooks",
  "viaf.org": "VIAF",
  "wikidata.org": "Wikidata",
  "wikipedia.org": "Wikipedia",
  "wikiquote.org": "Wikiquote",
  "wikisource.org": "Wikisource",
};

/** The name of a well-known site from an absolute URL; null for other sites. */
export function knownSiteName(address: string): string | null {
  const labels = new URL(address).hostname.split(".");
  const [name] = labels.flatMap((_, from) => SITE_NAMES[labels.slice(from).join(".")] ?? []);
  return name ?? null;
}
