import { createItemNameLookup, type ItemNameLookup } from "../../content/import/item-names.ts";
import type { NamedLinkContext } from "../../content/import/named-links.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import type { TableAndBibliographyOptions } from "../open-tables.ts";
import type { SurveyedSource } from "./survey-items.ts";

/** Indexes the names by which imported items can refer to other items, on the site and in Markdown files. */
export async function indexItemNames(
  record: ContentRecord,
  surveyed: readonly SurveyedSource[],
  {
    types,
    desk = null,
  }: { types: ContentTypes; desk?: TableAndBibliographyOptions["desk"] | undefined | null },
): Promise<{ names: ItemNameLookup; links: NamedLinkContext }> {
  const surveys = surveyed.map(({ survey }) => survey);
  const outlines = surveys.flatMap(({ namedOutlines }) => namedOutlines);
  const names = createItemNameLookup(record, desk, outlines);
  const known = await names.of(
    surveys.flatMap(({ typesNamed, terms }) => [...typesNamed, ...terms.namedItems.keys()]),
  );
  const sourceKeys = new Set(outlines.flatMap(({ sourceKey }) => sourceKey ?? []));
  return { names, links: { ...known, types, record, sourceKeys } };
}
