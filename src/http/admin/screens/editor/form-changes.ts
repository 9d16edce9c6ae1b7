import type { DraftedItemParts } from "../../../../content/drafts/draft.ts";
import type { SentForm } from "../../../site/sent-form.ts";

/**
 * Keeps only the changes whose controls the form contains. `listed` has the names of these
 * controls, such as `title` and `f.isbn`.
 */
export function keepChangesOfListedControls(
  { fields, relations, ...plain }: Record<string, unknown>,
  listed: ReadonlySet<string>,
): Record<string, unknown> {
  const pick = (values: unknown, prefix: string) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => listed.has(prefix + name)));
  return { ...pick(plain, ""), fields: pick(fields, "f."), relations: pick(relations, "r.") };
}

/** Adds the links that were found by name to the existing links. */
export function withAddedLinks(
  changes: Record<string, unknown>,
  linkedIds: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const entered = Object.entries(changes["relations"] ?? {});
  const relations = entered.map(([name, links]) => {
    const existing: readonly { to: string }[] = Array.isArray(links) ? links : [];
    const present = new Set(existing.map(({ to }) => to));
    const added = (linkedIds[name] ?? []).filter((id) => !present.has(id));
    return [name, [...existing, ...added.map((to) => ({ to, note: null }))]];
  });
  return { ...changes, relations: Object.fromEntries(relations) };
}

/** Omits the conflicting parts for which the person chose the saved version. */
export function withoutDeclinedChanges(
  { fields, relations, ...plain }: Record<string, unknown>,
  form: SentForm,
): Record<string, unknown> {
  const isKept = (part: string) => form.value(`take.${part}`) !== "theirs";
  const keep = (values: unknown, prefix: string) =>
    Object.fromEntries(Object.entries(values ?? {}).filter(([name]) => isKept(prefix + name)));
  return {
    ...keep(plain, ""),
    fields: keep(fields, "fields."),
    relations: keep(relations, "relations."),
  };
}

/**
 * Converts changes to `DraftedItemParts`, keyed by names such as `title` and `fields.isbn`, so that the
 * editor can show them again.
 */
export function itemPartsFromChanges({
  fields,
  relations,
  ...plain
}: Record<string, unknown>): DraftedItemParts {
  const groupParts = (group: string, values: unknown) =>
    Object.entries(values ?? {}).map(([name, value]) => [`${group}.${name}`, value]);
  return Object.fromEntries([
    ...Object.entries(plain),
    ...groupParts("fields", fields),
    ...groupParts("relations", relations),
  ]);
}
