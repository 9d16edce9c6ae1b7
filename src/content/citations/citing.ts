import type { ItemSummary, ReadingCopy } from "../library.ts";
import { apaCitation } from "./apa.ts";
import { bibtexEntry } from "./bibtex.ts";
import { chicagoCitation } from "./chicago.ts";
import { cslItem } from "./csl.ts";
import { itemReference } from "./item-reference.ts";
import { mlaCitation } from "./mla.ts";
import { type CitationPiece, citationText } from "./reference.ts";

/** Every form of a citation, in the order readers see them. */
export const CITATION_FORMS = ["apa", "mla", "chicago", "bibtex", "csl-json"] as const;
export type CitationForm = (typeof CITATION_FORMS)[number];

const STYLES = { apa: apaCitation, mla: mlaCitation, chicago: chicagoCitation } as const;

interface Cited {
  reading: ReadingCopy;
  origin: string;
}

/** The citation of an item in this form; italics of a style in asterisks. */
export function citationOf(item: ItemSummary, form: CitationForm, context: Cited): string {
  if (form !== "bibtex" && form !== "csl-json") {
    return citationText(styledCitation(item, form, context), (text) => `*${text}*`);
  }
  const csl = cslItem(
    item.path.slice(item.path.lastIndexOf("/") + 1),
    itemReference(item, context),
  );
  return form === "bibtex" ? bibtexEntry(csl) : JSON.stringify([csl]);
}

/** The citation of an item in a style, with its italics. */
export function styledCitation(
  item: ItemSummary,
  style: keyof typeof STYLES,
  context: Cited,
): CitationPiece[] {
  return STYLES[style](itemReference(item, context));
}
