import type { ItemOutline } from "../../content/item.ts";
import type { ItemRow } from "./tables.ts";

export const OUTLINE_COLUMNS = [
  "id",
  "type",
  "path",
  "title",
  "summary",
  "language",
  "translation_of",
  "status",
  "publish_at",
  "published_at",
  "created_at",
  "updated_at",
  "revision",
  "source_key",
] as const;

type OutlineRow = Pick<ItemRow, (typeof OUTLINE_COLUMNS)[number]>;

export function outlineOf(row: OutlineRow): ItemOutline {
  return {
    id: row.id,
    type: row.type,
    path: row.path,
    title: row.title,
    summary: row.summary,
    language: row.language,
    translationOf: row.translation_of,
    status: row.status,
    publishAt: row.publish_at,
    publishedAt: row.published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    sourceKey: row.source_key,
  };
}
