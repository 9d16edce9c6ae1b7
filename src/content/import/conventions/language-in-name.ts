import { baseLanguage } from "../../../search/language/languages.ts";

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** The usual spelling of a language tag: `zh-CN` for `zh-cn`. Null: not the tag of a known language. */
export function languageTagFromName(name: string): string | null {
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(name)) return null;
  try {
    const [tag = ""] = Intl.getCanonicalLocales(name.replaceAll("_", "-"));
    return LANGUAGE_NAMES.of(baseLanguage(tag)) === undefined ? null : tag;
  } catch {
    return null;
  }
}
