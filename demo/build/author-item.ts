import { AUTHOR_ALIASES } from "./aliases.ts";
import type { CorpusAuthor } from "./corpus.ts";
import { LIFE_YEARS } from "./life-years.ts";

/**
 * The item of an author with what was written for the demo. The biographies of the corpus are left
 * out: it does not say whose words they are.
 */
export function authorItem(author: CorpusAuthor, texts: ReadonlyMap<string, string>): object {
  const aliases = AUTHOR_ALIASES[author.id];
  const [born = null, died = null] = LIFE_YEARS[author.id] ?? [];
  const body = texts.get(author.id);
  return {
    type: "author",
    path: authorPath(author.id),
    title: author.name,
    summary: author.description?.trim() ?? "",
    ...(body === undefined ? {} : { body }),
    fields: {
      sort_name: author.sort_name,
      ...(born === null ? {} : { born }),
      ...(died === null ? {} : { died }),
      ...(aliases === undefined ? {} : { aliases }),
      ...(author.links.length > 0 ? { same_as: author.links } : {}),
    },
    status: "published",
    sourceKey: `${author.source}:author:${author.id}`,
  };
}

export function authorPath(id: string): string {
  return `/authors/${id}`;
}
