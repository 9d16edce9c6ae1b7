const LANGUAGE_CODE = /^[a-z]{2,3}(?:-|$)/;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
/**
 * Names of languages are accepted in these languages. Each language's name for itself is accepted
 * too.
 */
const NAMING_LANGUAGES = ["en", "de"];

let codes: ReadonlyMap<string, string> | null = null;

/**
 * The BCP 47 tag of a language. Accepts a tag, a tag with an underscore, or the name of the language in
 * English, in German or in that language; null for other text.
 */
export function toLanguageTag(language: string): string | null {
  const text = language.trim().replaceAll("_", "-");
  const code = codesByName().get(text.toLowerCase());
  if (code !== undefined) return code;
  try {
    const [tag = text] = Intl.getCanonicalLocales(text);
    return LANGUAGE_CODE.test(tag) ? tag : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Two-letter language codes, keyed by the lower-case names of the language. */
function codesByName(): ReadonlyMap<string, string> {
  if (codes !== null) return codes;
  const naming = NAMING_LANGUAGES.map(languageNames);
  const allCodes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const known = allCodes.filter((code) => naming[0]?.of(code) !== undefined);
  const found = known.flatMap((code) =>
    [...naming, languageNames(code)].flatMap((names) => {
      const name = names.of(code)?.toLowerCase();
      return name === undefined ? [] : [[name, code] as const];
    }),
  );
  // Reverses the entries, because a `Map` keeps the last value for a key, and the first of two languages with
  // the same name takes precedence.
  codes = new Map(found.toReversed());
  return codes;
}

function languageNames(language: string): Intl.DisplayNames {
  return new Intl.DisplayNames(language, { type: "language", fallback: "none" });
}
