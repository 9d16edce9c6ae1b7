import { pageUrl } from "../addresses/addresses.ts";
import type { ItemSummary, ReadingCopy } from "../library.ts";
import { apaCitation } from "./apa.ts";
import { bibtexEntry } from "./bibtex.ts";
import { chicagoCitation } from "./chicago.ts";
import { citationKey, cslItem } from "./csl.ts";
import { itemReference } from "./item-reference.ts";
import { mlaCitation } from "./mla.ts";
import { type CitationPiece, type CitedReference, renderCitationText } from "./reference.ts";

/**
 * The formats in which a citation is offered, in the order readers see them: three styles and two file
 * formats.
 */
export const CITATION_FORMATS = ["apa", "mla", "chicago", "bibtex", "csl-json"] as const;
export type CitationFormat = (typeof CITATION_FORMATS)[number];

/** For each style, the function that writes a reference as text with italics. */
export const CITATION_STYLES = {
  apa: apaCitation,
  mla: mlaCitation,
  chicago: chicagoCitation,
} as const satisfies Record<string, (reference: CitedReference) => CitationPiece[]>;

/** The citation of an item in the given form; italics are marked with asterisks. */
export function citationOf(
  item: ItemSummary,
  form: CitationFormat,
  { reading, origin }: { reading: ReadingCopy; origin: string },
): string {
  const reference = { ...itemReference(item, reading), url: pageUrl(origin, item.path) };
  if (form === "bibtex" || form === "csl-json")
    return formatMachineReadableCitation(item.path, form, reference);
  return renderCitationText(CITATION_STYLES[form](reference), (text) => `*${text}*`);
}

/**
 * A reference in a machine-readable format. The last segment of the path serves as the key of the reference
 * and must not be empty.
 */
export function formatMachineReadableCitation(
  path: string,
  form: "bibtex" | "csl-json",
  reference: CitedReference,
): string {
  const id = path.slice(path.lastIndexOf("/") + 1) || "home";
  if (form === "bibtex") return bibtexEntry(citationKey(id), reference);
  return JSON.stringify([cslItem(id, reference)]);
}
