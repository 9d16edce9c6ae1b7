import type { ItemSummary } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import {
  type ContentTypes,
  type Field,
  type FieldValue,
  warningValuesBySealField,
} from "../../types/content-type.ts";
import { enumValueLabel } from "../field-values.ts";
import type { Seal } from "../view.ts";

/**
 * The page that explains every seal, the mark that shows how far an item can be trusted. A published item
 * at this path replaces the page.
 */
export const VERIFICATION_PATH = "/about/verification";

/** The values that {@link VERIFICATION_PATH} explains. */
export const EXPLAINED_SEAL_VALUES = [
  "verified",
  "attributed",
  "disputed",
  "misattributed",
] as const;

type SealedItem = Pick<ItemSummary, "type" | "fields">;

/**
 * The seal that shows how far an item can be trusted: the first warning among its seals, or else
 * the first seal. The seal links to its explanation within the edition. Null if no field has a
 * seal.
 */
export function sealInEdition(
  item: SealedItem,
  edition: Pick<Edition, "types" | "prefix">,
): Seal | null {
  const seal = sealInMainEdition(item, edition.types);
  return seal === null || seal.to === null ? seal : { ...seal, to: edition.prefix + seal.to };
}

/** As {@link sealInEdition}, in the main edition. */
export function sealInMainEdition(item: SealedItem, types: ContentTypes): Seal | null {
  const type = types.get(item.type);
  let first: Seal | null = null;
  for (const [name] of warningValuesBySealField(type)) {
    for (const seal of sealsOfFieldValue(item.fields[name], type?.fields[name] ?? {})) {
      if (seal.isCaution) return seal;
      first ??= seal;
    }
  }
  return first;
}

/** The seal of a field's value; none unless the value is a text. */
export function sealsOfFieldValue(
  value: FieldValue | undefined,
  field: Pick<Field, "cautions" | "valueNames">,
): Seal[] {
  if (typeof value !== "string" || value === "") return [];
  const isExplained = EXPLAINED_SEAL_VALUES.some((known) => known === value);
  return [
    {
      value,
      label: enumValueLabel(field, value),
      isCaution: field.cautions?.includes(value) === true,
      to: isExplained ? `${VERIFICATION_PATH}#${value}` : null,
    },
  ];
}

/** The item's seal if it is a warning; pages show warnings before the text. */
export function warningSealOf(item: SealedItem, types: ContentTypes): Seal | null {
  const seal = sealInMainEdition(item, types);
  return seal?.isCaution === true ? seal : null;
}

/** An item's title with its warning, for lists of titles alone: "Disputed: Time flies". */
export function titleWithWarning(
  item: SealedItem & { title: string },
  types: ContentTypes,
): string {
  const caution = warningSealOf(item, types);
  return caution === null ? item.title : `${caution.label}: ${item.title}`;
}
