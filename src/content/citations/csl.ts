import { type CitedReference, citationNote, citedDateOf } from "./reference.ts";

const CSL_TYPES = {
  whole: "book",
  part: "chapter",
  journal: "article-journal",
  periodical: "article-magazine",
  page: "webpage",
} as const;

/** The key by which texts cite a source, made from the last part of its path. */
export function citationKey(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N}]+/gu, "_");
}

/** A reference as a CSL-JSON item (https://docs.citationstyles.org/en/stable/specification.html). */
export function cslItem(id: string, reference: CitedReference) {
  const { kind, title, authors, translators = [], container, publisher } = reference;
  const { site, url } = reference;
  const date = citedDateOf(reference);
  const note = citationNote(reference);
  return {
    id,
    "citation-key": citationKey(id),
    type: CSL_TYPES[kind],
    title,
    // `CitedName` has the same properties as names in CSL-JSON.
    ...(authors.length === 0 ? {} : { author: authors }),
    ...(translators.length === 0 ? {} : { translator: translators }),
    ...(date === undefined ? {} : { issued: { "date-parts": [[date.year]] } }),
    ...(container === undefined ? {} : { "container-title": container }),
    ...(publisher === undefined ? {} : { publisher }),
    ...(note === "" ? {} : { note }),
    ...(site === undefined ? {} : { source: site }),
    ...(url === undefined ? {} : { URL: url }),
  };
}
