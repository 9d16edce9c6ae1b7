const ROMAN_NUMERALS = [
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
] as const;

/** A positive number in Roman numerals, which some languages use for centuries. */
export function romanNumeral(value: number): string {
  let rest = value;
  let text = "";
  for (const [amount, symbol] of ROMAN_NUMERALS) {
    text += symbol.repeat(Math.floor(rest / amount));
    rest %= amount;
  }
  return text;
}
