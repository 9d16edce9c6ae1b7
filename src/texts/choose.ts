/** The language of a BCP 47 tag, without script and region: `pt` for `pt-BR`. */
export function baseLanguage(tag: string): string {
  const end = tag.indexOf("-");
  return (end === -1 ? tag : tag.slice(0, end)).toLowerCase();
}

/** The catalogue for the first language that has one; undefined if none has. */
export function firstCatalogue<Texts extends { language: string }>(
  catalogues: readonly Texts[],
  languages: readonly string[],
): Texts | undefined {
  for (const language of languages) {
    const base = baseLanguage(language);
    const found = catalogues.find((texts) => texts.language === base);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The languages of an `Accept-Language` header in the order of the header. Weights are ignored, because
 * browsers already sort by them.
 */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? "").split(",").map((entry) => entry.trim().split(";", 1).join());
}
