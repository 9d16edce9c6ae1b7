import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { type CatalogEntry, describeCatalog } from "../../content/lists/catalog.ts";
import { LIST_LIMIT_MAX } from "../../content/lists/listing.ts";
import { toByteString } from "../../render/byte-string.ts";
import { QUERY_SYNTAX_HELP, SEARCH_CHARACTERS_MAX } from "../../search/query.ts";
import { defineTool } from "../define-tool.ts";
import { estimateTokens } from "../results/token-estimate.ts";
import { TEXT_CHARACTERS_MAX } from "./get-content-by-url.ts";
import { SEARCH_LIMIT_MAX } from "./search-content.ts";

/**
 * Token limit of the descriptions of types. The rest of the answer describes the site and its
 * limits.
 */
const TYPES_TOKENS_MAX = 8000;
/** Tokens reserved for the name and the count of a type. */
const NAMED_TYPE_TOKENS = 40;

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
      types: typeEntries(describeCatalog(reading, type), origin),
      limits: {
        list_limit_max: LIST_LIMIT_MAX,
        search_limit_max: SEARCH_LIMIT_MAX,
        query_characters_max: SEARCH_CHARACTERS_MAX,
        text_characters_max: TEXT_CHARACTERS_MAX,
      },
      query_language: QUERY_SYNTAX_HELP,
    };
  },
});

type Entry = Record<string, unknown> & { type: string };

/**
 * Describes types up to the token limit. Types beyond the limit get only a name and a count. If a
 * single type exceeds the limit, its last details are omitted.
 */
function typeEntries(entries: readonly CatalogEntry[], origin: string): Entry[] {
  const allEntries = entries.map((entry) => typeEntry(entry, origin));
  if (toByteString(JSON.stringify(allEntries)).length <= TYPES_TOKENS_MAX) return allEntries;
  let tokensLeft = TYPES_TOKENS_MAX - entries.length * NAMED_TYPE_TOKENS;
  return entries.map((entry) => {
    const described = typeEntry(entry, origin);
    const tokens = tokensOf(described);
    if (tokens > tokensLeft && entries.length > 1) return nameAndCount(entry);
    tokensLeft -= tokens;
    return tokens > TYPES_TOKENS_MAX ? shortenedEntry(described) : described;
  });
}

function typeEntry(entry: CatalogEntry, origin: string) {
  const { type, label, description, items, fields, filters, sorts, relations } = entry;
  return {
    type,
    label,
    description,
    count: items,
    list_url: entry.listPath === null ? null : pageUrl(origin, entry.listPath),
    example_url: entry.examplePath === null ? null : pageUrl(origin, entry.examplePath),
    fields: fields.map(withoutPlainLabel),
    filters: filters.map(withoutPlainLabel),
    sorts,
    relations: relations.map(({ name, label, otherType }) =>
      withoutPlainLabel({ name, label, type: otherType }),
    ),
  };
}

/** Omits a label that only repeats the name. */
function withoutPlainLabel<Named extends { name: string; label: string }>(named: Named): object {
  const { label, ...rest } = named;
  return label.toLowerCase() === named.name.replaceAll("_", " ") ? rest : named;
}

function nameAndCount({ type, items }: CatalogEntry): Entry {
  return { type, count: items, cut: `call describe_content_catalog with type ${type}` };
}

/**
 * Truncates the lists of fields, filters, sorts and relations to fit, and adds their full lengths.
 */
function shortenedEntry(entry: ReturnType<typeof typeEntry>): Entry {
  const lists = ["fields", "filters", "sorts", "relations"] as const;
  const share = TYPES_TOKENS_MAX / (lists.length + 1);
  const shorter = Object.fromEntries(
    lists.map((name) => {
      let tokens = 0;
      const all: readonly unknown[] = entry[name];
      const end = all.findIndex((each) => {
        tokens += tokensOf(each);
        return tokens > share;
      });
      return [name, end === -1 ? all : all.slice(0, end)];
    }),
  );
  const totals = lists.map((name) => `${entry[name].length} ${name}`).join(", ");
  return { ...entry, ...shorter, cut: `the first of ${totals}` };
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}
