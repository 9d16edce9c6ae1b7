import type { FieldRange, ReadingCopy } from "../library.ts";
import { type ContentType, type FieldKind, filterableFields } from "../types/content-type.ts";
import { type RelationView, relationViews } from "../types/relation-views.ts";
import { requireTypes } from "./filters.ts";
import { listAvailableSorts } from "./listing.ts";

/** A filter for lists and searches of a type. */
export interface CatalogFilter {
  name: string;
  label: string;
  /**
   * The kind of value that the filter accepts. `relation`: the address or name of an item of the
   * type `target`.
   */
  kind: FieldKind | "relation";
  values?: readonly string[];
  /** Lowest value among published items; null if none has a value. */
  min?: string | number | null;
  max?: string | number | null;
  target?: string;
}

export interface CatalogField {
  name: string;
  label: string;
  kind: FieldKind;
  description?: string;
}

export interface CatalogEntry {
  type: string;
  label: string;
  plural: string;
  description: string;
  items: number;
  listPath: string | null;
  fields: CatalogField[];
  filters: CatalogFilter[];
  sorts: string[];
  relations: readonly RelationView[];
  /** Path of a published item; null if there is none. */
  examplePath: string | null;
}

/**
 * Describes the published content and its filters, by type.
 *
 * @throws {AppError} `invalid` if the named type is not declared.
 */
export function describeCatalog(reading: ReadingCopy, typeName?: string): CatalogEntry[] {
  const counts = reading.counts();
  const types = requireTypes(reading.types(), typeName === undefined ? [] : [typeName]);
  return types.map((type) => {
    const [example] = reading.index({ type: type.name, limit: 1 });
    return {
      type: type.name,
      label: type.label,
      plural: type.plural,
      description: type.description,
      items: counts[type.name] ?? 0,
      listPath: type.listPath,
      fields: fieldsOf(type),
      filters: [...fieldFilters(reading, type), ...relationFilters(reading, type)],
      sorts: listAvailableSorts(reading, type),
      relations: relationViews(reading.types(), type.name),
      examplePath: example?.path ?? null,
    };
  });
}

function fieldsOf(type: ContentType): CatalogField[] {
  return Object.entries(type.fields).map(([name, { label, kind, description }]) => ({
    name,
    label,
    kind,
    ...(description === undefined ? {} : { description }),
  }));
}

function fieldFilters(reading: ReadingCopy, type: ContentType): CatalogFilter[] {
  const ranges = new Map(reading.ranges(type.name).map((range) => [range.field, range]));
  return filterableFields(type).map(([name, { label, kind, values }]) => ({
    name,
    label,
    kind,
    ...(values === undefined ? {} : { values }),
    ...bounds(ranges.get(name)),
  }));
}

function bounds(range: FieldRange | undefined): Pick<CatalogFilter, "min" | "max"> {
  return range === undefined ? {} : { min: range.min, max: range.max };
}

function relationFilters(reading: ReadingCopy, type: ContentType): CatalogFilter[] {
  return relationViews(reading.types(), type.name).map(({ name, label, otherType }) => ({
    name,
    label,
    kind: "relation",
    target: otherType,
  }));
}
