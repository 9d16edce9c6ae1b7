import { AUTHOR_ALIASES } from "./aliases.ts";
import type { CorpusAuthor } from "./corpus.ts";

/** The item of an author. Biographies are left out: the corpus does not say whose words they are. */
export function authorItem(author: CorpusAuthor): object {
  const aliases = AUTHOR_ALIASES[author.id];
  return {
    type: "author",
    path: authorPath(author.id),
    title: author.name,
    summary: author.description ?? "",
    fields: {
      sort_name: author.sort_name,
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
