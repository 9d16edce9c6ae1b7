import type { Texts } from "./english.ts";

/**
 * The labels of `title`, `summary` and the other properties that items of every type have, keyed by
 * their names in the API.
 */
export function itemPartLabels({
  draft,
  dates,
  item,
  jobs,
  types,
}: Texts): Readonly<Record<string, string>> {
  return {
    title: draft.title,
    summary: draft.summary,
    body: draft.body,
    path: draft.path,
    language: draft.language,
    translationOf: draft.translationOf,
    status: item.statusIs,
    publishAt: jobs.table.places.publishAt,
    publishedAt: draft.publishedAt,
    expireAt: dates.expireAt,
    reviewAt: dates.reviewAt,
    sourceKey: jobs.table.places.sourceKey,
    fields: types.fields,
    relations: types.links,
  };
}
