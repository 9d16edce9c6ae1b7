import { nativeLanguageName } from "../../../texts/formats.ts";
import { ALL_LANGUAGES_VALUE } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType, Field } from "../../types/content-type.ts";
import { enumValueLabel } from "../field-values.ts";

/**
 * The label of a value that visitors can choose. If the filter is a relation, `value` is already
 * the title of an item.
 */
export function filterOptionLabel(name: string, value: string, field: Field | undefined): string {
  if (name === "language") return languageName(value);
  return field === undefined ? value : enumValueLabel(field, value);
}

/**
 * The label of a chosen value: an item's title, a language's name in that language, or the declared name
 * of the value.
 */
export function activeFilterLabel(
  reading: ReadingCopy,
  name: string,
  { types, value, edition }: { types: readonly ContentType[]; value: string; edition: Edition },
): string {
  if (name === "language") {
    return value === ALL_LANGUAGES_VALUE ? edition.texts.filters.any : languageName(value);
  }
  const field = types.map(({ fields }) => fields[name]).find((each) => each !== undefined);
  if (field !== undefined) return enumValueLabel(field, value);
  const found = value.startsWith("/") ? reading.resolve(value) : null;
  return found?.kind === "item" ? found.item.title : value;
}

/**
 * The name of a language in that language. A malformed tag, which a visitor may send, is returned
 * as is.
 */
function languageName(tag: string): string {
  try {
    return nativeLanguageName(tag);
  } catch {
    return tag;
  }
}
