import type {
  NumberedLevel,
  NumberedList,
  NumberingPart,
  ParagraphNumber,
} from "./numbering-part.ts";

const LABEL_CHARACTERS_MAX = 100;
/**
 * Limit on Roman numerals. Higher numbers are written in digits, because programs write them
 * differently in Roman numerals.
 */
const ROMAN_MAX = 3999;
/** Limit on numbers written as letters. Word repeats the letter: `aaa` follows `zz`. */
const LETTERS_MAX = 26 * 10;

/**
 * Computes the numbers that Word shows before paragraphs of lists and numbered headings. Call
 * `next` for each paragraph in the order of the document.
 */
export class WordNumberCounter {
  readonly #part: NumberingPart;
  readonly #counts = new Map<string, Map<number, number>>();
  readonly #begun = new Set<string>();

  constructor(part: NumberingPart) {
    this.#part = part;
  }

  /**
   * The label that Word shows before the next paragraph, such as `§ 3`, `1.2` or `(a)`. Null: there is no
   * label, or only a bullet.
   */
  next(paragraph: ParagraphNumber): string | null {
    const found = this.#part.listOf(paragraph);
    const level = found?.list.levels.get(found.level);
    if (found === null || level === undefined) return null;
    const counts = this.#count(found.list, found.level);
    if (level.format === "bullet") return null;
    const label = level.text.replaceAll(/%([1-9])/g, (_all, digit: string) => {
      const index = Number(digit) - 1;
      const format = found.list.levels.get(index)?.format ?? "decimal";
      const count = counts.get(index) ?? startOf(found.list, index);
      return formatted(count, level.isLegal ? "decimal" : format);
    });
    return label.replaceAll(/\s+/g, " ").trim().slice(0, LABEL_CHARACTERS_MAX) || null;
  }

  /** Adds a paragraph to the count, and returns the current number of each level. */
  #count(list: NumberedList, level: number): ReadonlyMap<number, number> {
    const counts = this.#counts.get(list.definition) ?? new Map<number, number>();
    this.#counts.set(list.definition, counts);
    if (!this.#begun.has(list.id)) for (const each of list.restarts.keys()) counts.delete(each);
    this.#begun.add(list.id);
    const before = counts.get(level);
    counts.set(level, before === undefined ? startOf(list, level) : before + 1);
    for (const [index, other] of list.levels) {
      if (index < level && !counts.has(index)) counts.set(index, startOf(list, index));
      if (index > level && startsAgain(other, level)) counts.delete(index);
    }
    return counts;
  }
}

function startOf({ levels, restarts }: NumberedList, level: number): number {
  return restarts.get(level) ?? levels.get(level)?.start ?? 1;
}

function startsAgain({ restartsAfter }: NumberedLevel, used: number): boolean {
  return restartsAfter === null || used < restartsAfter;
}

function formatted(count: number, format: string): string {
  switch (format) {
    case "none":
      return "";
    case "decimalZero":
      return String(count).padStart(2, "0");
    case "lowerLetter":
      return letters(count);
    case "upperLetter":
      return letters(count).toUpperCase();
    case "lowerRoman":
      return roman(count).toLowerCase();
    case "upperRoman":
      return roman(count);
    default:
      return String(count);
  }
}

function letters(count: number): string {
  if (count < 1 || count > LETTERS_MAX) return String(count);
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

const ROMAN_DIGITS = [
  ...([
    [1000, "M"],
    [900, "CM"],
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
  ] as const),
  ...([
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ] as const),
];

function roman(count: number): string {
  if (count < 1 || count > ROMAN_MAX) return String(count);
  let rest = count;
  let digits = "";
  for (const [value, digit] of ROMAN_DIGITS) {
    for (; rest >= value; rest -= value) digits += digit;
  }
  return digits;
}
