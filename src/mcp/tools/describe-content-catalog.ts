import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { type CatalogEntry, describeCatalog } from "../../content/lists/catalog.ts";
import { LIST_LIMIT_MAX } from "../../content/lists/listing.ts";
import { QUERY_LANGUAGE, SEARCH_CHARACTERS_MAX } from "../../search/query.ts";
import { defineTool } from "../define-tool.ts";
import { TEXT_CHARACTERS_MAX } from "./get-content-by-url.ts";
import { SEARCH_LIMIT_MAX } from "./search-content.ts";

export const describeContentCatalog = defineTool({
  name: "describe_content_catalog",
  title: "Describe the content catalog",
  description:
    "What this site publishes: content types with counts, fields, filters, sorts, relations, example URLs; limits; query language. Call it first, or before using filters.",
  input: z.strictObject({
    type: z.string().describe("e.g. work").exactOptional(),
  }),
  output: z.looseObject({
    site: z.looseObject({ name: z.string() }),
    types: z.array(z.looseObject({ type: z.string() })),
    limits: z.looseObject({}),
    query_language: z.string(),
  }),
  answer({ type }, { reading, origin }) {
    const site = reading.site();
    return {
      site: {
        name: site.name,
        description: site.description,
        url: pageUrl(origin, "/"),
        languages: [site.language, ...site.languages],
        when_to_use: site.whenToUse,
        when_not_to_use: site.whenNotToUse,
        updated_at: reading.updatedAt(),
      },
      types: describeCatalog(reading, type).map((entry) => typeEntry(entry, origin)),
      limits: {
        list_limit_max: LIST_LIMIT_MAX,
        search_limit_max: SEARCH_LIMIT_MAX,
        query_characters_max: SEARCH_CHARACTERS_MAX,
        text_characters_max: TEXT_CHARACTERS_MAX,
      },
      query_language: QUERY_LANGUAGE,
    };
  },
});

function typeEntry(entry: CatalogEntry, origin: string) {
  const { type, label, description, items, fields, filters, sorts, relations } = entry;
  return {
    type,
    label,
    description,
    count: items,
    list_url: entry.listPath === null ? null : pageUrl(origin, entry.listPath),
    example_url: entry.examplePath === null ? null : pageUrl(origin, entry.examplePath),
    fields,
    filters,
    sorts,
    relations: relations.map(({ name, label, otherType }) => ({ name, label, type: otherType })),
  };
}
