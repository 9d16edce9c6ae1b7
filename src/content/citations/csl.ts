import type { CSL, CSLName } from "@citation-js/core";
import type { Name, Reference } from "./reference.ts";

const CSL_TYPES = {
  whole: "book",
  part: "chapter",
  journal: "article-journal",
  periodical: "article-magazine",
  page: "webpage",
} as const;

/** A reference as a CSL-JSON item (https://docs.citationstyles.org/en/stable/specification.html). */
export function cslItem(id: string, reference: Reference): CSL {
  const { kind, title, authors, translators = [], date, container, publisher } = reference;
  const { place, description, site, url } = reference;
  const note = [place, description].filter((part) => part !== undefined).join("; ");
  return {
    id,
    "citation-key": id.replaceAll(/[^\p{L}\p{N}]+/gu, "_"),
    type: CSL_TYPES[kind],
    title,
    ...(authors.length === 0 ? {} : { author: authors.map(cslName) }),
    ...(translators.length === 0 ? {} : { translator: translators.map(cslName) }),
    ...(date === undefined ? {} : { issued: { "date-parts": [[date.year]] } }),
    ...(container === undefined ? {} : { "container-title": container }),
    ...(publisher === undefined ? {} : { publisher }),
    ...(note === "" ? {} : { note }),
    ...(site === undefined ? {} : { source: site }),
    ...(url === undefined ? {} : { URL: url }),
  };
}

function cslName(name: Name): CSLName {
  return "literal" in name ? { literal: name.literal } : { family: name.family, given: name.given };
}
