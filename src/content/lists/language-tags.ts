const LANGUAGE_CODE = /^[a-z]{2,3}(?:-|$)/;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

let codes: ReadonlyMap<string, string> | null = null;

/**
 * The BCP 47 tag of a language. Accepts a tag, a tag with an underscore, or the English name of the
 * language; null for other text.
 */
export function languageTag(language: string): string | null {
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

/** Two-letter language codes by the English name of the language, in lower case. */
function codesByName(): ReadonlyMap<string, string> {
  codes ??= new Map(namedCodes());
  return codes;
}

function namedCodes(): (readonly [name: string, code: string])[] {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[name.toLowerCase(), code] as const];
  });
}
