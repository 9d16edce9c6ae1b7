const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
const COMBINING_MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
/** Letters whose stroke or ligature survives Unicode decomposition. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
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
const WHOLE_LETTER = /[ßæœøđðłþı]/g;
/**
 * Scripts whose marks can be removed; in Hebrew and Arabic, points and vowel signs are optional.
 */
const OPTIONAL_MARKS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Texts of only these characters need no folding except to lower case. */
const NEEDS_NO_FOLDING = /^[\0-\x7f‘’‚“”„«»–—]*$/;

/** Lower case without accents, for comparing typed words with stored text. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (NEEDS_NO_FOLDING.test(lower)) return lower;
  const whole = lower.replace(WHOLE_LETTER, (letter) => WHOLE_LETTERS[letter] ?? letter);
  // In other scripts the marks are vowels: without them, different words become equal.
  if (!OPTIONAL_MARKS.test(whole)) return whole.normalize("NFKC");
  return whole.normalize("NFKD").replace(COMBINING_MARKS, "").normalize("NFC");
}

/** Folded words separated by single spaces; equal for names a reader considers the same. */
export function nameKey(text: string): string {
  const key = foldText(text).replace(NOT_WORD, " ").trim();
  return key === "" ? text.trim().toLowerCase() : key;
}

/** Cuts at a word boundary and appends `…`. Counts UTF-16 units, `…` included. */
export function cutAtWord(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > charactersMax / 2 ? head.slice(0, space) : wholeCharacters(head);
  return `${cut.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** Drops half a surrogate pair from the end. */
export function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\ud800-\udbff]$/, "");
}

/** FNV-1a over UTF-16 units; never 0. */
export function wordHash(key: string): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), FNV_PRIME);
  }
  return hash === 0 ? 1 : hash;
}
