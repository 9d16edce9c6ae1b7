import type { Edition } from "../site/editions.ts";
import type { ContentType } from "../types/content-type.ts";

/**
 * The label of a filter or of one of its bounds, such as `year_from`; the filter's name if no type
 * declares the filter. `types` must be labelled in the language of the edition.
 */
export function filterLabel(
  name: string,
  types: readonly ContentType[],
  { texts }: Edition,
): string {
  const [, field = name, bound] = /^(.*?)(?:_(from|to))?$/.exec(name) ?? [];
  const label = declaredLabel(name, types);
  if (label !== undefined) return label;
  if (name === "language") return texts.filters.language;
  const base = declaredLabel(field, types) ?? field;
  return bound === undefined
    ? base
    : `${base} (${bound === "from" ? texts.filters.from : texts.filters.to})`;
}

function declaredLabel(name: string, types: readonly ContentType[]): string | undefined {
  const declared = types.map(({ relations, fields }) => relations[name] ?? fields[name]);
  return declared.find((each) => each !== undefined)?.label;
}
