/**
 * A rule for an ending: the minimum length of the words to which it applies, the ending, and its
 * replacement.
 */
type Ending = readonly [charactersMin: number, ending: RegExp, replacement: string];

const ARTICLES: readonly Ending[] = [
  [7, /ият$/, ""],
  [6, /(?:ът|то|те|та|ия)$/, ""],
  [5, /ят$/, ""],
];

const PLURALS: readonly Ending[] = [
  [7, /(?:овци|ове)$/, ""],
  [7, /еве$/, "й"],
  [6, /(?:ища|та)$/, ""],
  [6, /ци$/, "к"],
  [6, /зи$/, "г"],
  [6, /е(.)и$/, "я$1"],
  [5, /си$/, "х"],
  [5, /и$/, ""],
];

/**
 * Stems a Bulgarian word in lower case, as described by J. Savoy, "Searching strategies for the
 * Bulgarian language" (2007). Removes the article and the plural ending, then endings that differ by
 * gender.
 */
export function stemBulgarianWord(word: string): string {
  if (word.length < 4) return word;
  if (word.length > 5 && word.endsWith("ища")) return word.slice(0, -3);
  const singular = withoutEnding(withoutEnding(word, ARTICLES), PLURALS);
  const neutral = singular.length > 3 ? singular.replace(/я$/, "").replace(/[аое]$/, "") : singular;
  const short = neutral.length > 4 ? neutral.replace(/ен$/, "н") : neutral;
  return short.length > 5 ? short.replace(/ъ(.)$/, "$1") : short;
}

function withoutEnding(word: string, endings: readonly Ending[]): string {
  const [, ending, replacement] =
    endings.find(([charactersMin, each]) => word.length >= charactersMin && each.test(word)) ?? [];
  return ending === undefined ? word : word.replace(ending, replacement ?? "");
}
