const NUMBER_MAX = 199;
const ROMAN_DIGITS: readonly [number, string][] = [
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

/**
 * The Roman numeral for an Arabic numeral and vice versa, because locators use both: `iv` for `4`,
 * `4` for `IV`. Empty for other words.
 */
export function equivalentNumerals(word: string): string[] {
  if (/^\d{1,3}$/.test(word)) {
    const number = Number(word);
    return number >= 1 && number <= NUMBER_MAX ? [romanOf(number)] : [];
  }
  // Accepts only capitals as Roman numerals, because "mix" is also a word.
  if (!/^[IVXLC]{2,8}$/.test(word)) return [];
  const number = arabicOf(word.toLowerCase());
  return romanOf(number) === word.toLowerCase() ? [String(number)] : [];
}

function romanOf(number: number): string {
  let remaining = number;
  let roman = "";
  for (const [value, letters] of ROMAN_DIGITS) {
    for (; remaining >= value; remaining -= value) roman += letters;
  }
  return roman;
}

function arabicOf(roman: string): number {
  const values = [...roman].map(
    (letter) => ROMAN_DIGITS.find(([, one]) => one === letter)?.[0] ?? 0,
  );
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}
