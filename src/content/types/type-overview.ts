import { type Actor, requireScope } from "../../access/actor.ts";
import type { Status } from "../items/item.ts";
import type { ContentReader, TypeCount } from "../record.ts";
import type { ContentType, Field } from "./content-type.ts";
import { type RelationView, relationViews } from "./relation-views.ts";

/** A content type for editors, with item counts. */
export interface TypeOverview {
  name: string;
  label: string;
  plural: string;
  description: string;
  /** Pattern of the items' paths; null: any path. */
  pathPattern: string | null;
  fields: ({ name: string } & Field)[];
  relations: readonly RelationView[];
  defaultSort: string;
  /** Numbers of items, keyed by status. */
  counts: Record<Status, number>;
}

/**
 * Describes all types, built-in and declared. @throws {AppError} `forbidden`, `unauthenticated`.
 */
export async function readTypeOverviews(
  record: Pick<ContentReader, "types" | "typeCounts">,
  actor: Actor,
): Promise<TypeOverview[]> {
  requireScope(actor, "content:read");
  const types = await record.types();
  const counts = await record.typeCounts();
  return [...types.values()].map((type) => ({
    name: type.name,
    label: type.label,
    plural: type.plural,
    description: type.description,
    pathPattern: type.listPath === null ? null : `${type.listPath}/{slug}`,
    fields: Object.entries(type.fields).map(([name, field]) => ({ name, ...field })),
    relations: relationViews(types, type.name),
    defaultSort: type.defaultSort,
    counts: countsOf(type, counts),
  }));
}

function countsOf({ name }: ContentType, counts: readonly TypeCount[]): Record<Status, number> {
  const countOf = (status: Status) =>
    counts.find((count) => count.type === name && count.status === status)?.items ?? 0;
  return {
    draft: countOf("draft"),
    scheduled: countOf("scheduled"),
    published: countOf("published"),
    archived: countOf("archived"),
    deleted: countOf("deleted"),
  };
}
