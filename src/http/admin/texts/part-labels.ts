import type { Texts } from "./english.ts";

/** The labels of the parts that every item has, by their names in the API. */
export function partLabels({ draft, dates }: Texts): Readonly<Record<string, string>> {
  return {
    title: draft.title,
    summary: draft.summary,
    body: draft.body,
    path: draft.path,
    language: draft.language,
    translationOf: draft.translationOf,
    publishedAt: draft.publishedAt,
    expireAt: dates.expireAt,
    reviewAt: dates.reviewAt,
  };
}
