const SYMBOLS = [
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
] as const;

/** A number from 1 in Roman numerals, as some languages count centuries. */
export function roman(value: number): string {
  let rest = value;
  let text = "";
  for (const [worth, symbol] of SYMBOLS) {
    text += symbol.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}
