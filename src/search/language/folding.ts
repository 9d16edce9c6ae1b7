const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
const COMBINING_MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
/** Letters that Unicode does not decompose into a base letter and marks. */
const INDIVISIBLE_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};
const INDIVISIBLE_LETTER = /[ßæœøđðłþı]/g;
/**
 * Scripts whose marks can be removed. In Hebrew and Arabic, for example, points and vowel signs are optional.
 */
const SCRIPT_WITH_OPTIONAL_MARKS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Matches texts that have no accents to remove, so that lower case is enough. */
const NEEDS_NO_FOLDING = /^[\0-\x7f‘’‚“”„«»–—]*$/;

/** Converts text to lower case without accents, for comparing typed words with stored text. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (NEEDS_NO_FOLDING.test(lower)) return lower;
  const spelledOut = lower.replace(
    INDIVISIBLE_LETTER,
    (letter) => INDIVISIBLE_LETTERS[letter] ?? letter,
  );
  // Keeps the marks of other scripts, such as Devanagari, because these marks are vowels. Without vowels,
  // different words would become equal.
  if (!SCRIPT_WITH_OPTIONAL_MARKS.test(spelledOut)) return spelledOut.normalize("NFKC");
  return spelledOut.normalize("NFKD").replace(COMBINING_MARKS, "").normalize("NFC");
}

/**
 * The folded words of a name, separated by single spaces. Names that a reader considers the same have the
 * same key.
 */
export function nameKey(text: string): string {
  const key = foldText(text).replace(NOT_WORD, " ").trim();
  return key === "" ? text.trim().toLowerCase() : key;
}

/** Cuts a long text at a word boundary and appends `…`. Counts UTF-16 code units, including the `…`. */
export function cutAtWord(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > charactersMax / 2 ? head.slice(0, space) : dropLoneSurrogate(head);
  return `${cut.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** Drops an unpaired surrogate from the end of a text that was cut within a surrogate pair. */
export function dropLoneSurrogate(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\ud800-\udbff]$/, "");
}

/** FNV-1a hash over UTF-16 code units; never 0. */
export function hashWord(key: string): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME);
  }
  return hash === 0 ? 1 : hash;
}
