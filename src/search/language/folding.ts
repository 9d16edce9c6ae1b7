const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
/** Letters that carry their stroke or ligature inside, so that decomposition leaves them alone. */
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
/** Points and vowel signs of Hebrew and Arabic are written or left out as one likes. */
const MARKED_AT_WILL =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Nothing in these can be folded but case. */
const PLAIN = /^[\0-\x7f‘’‚“”„«»–—]*$/;

/** Lower case without accents, for comparing words people type with words people wrote. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  const whole = lower.replace(WHOLE_LETTER, (letter) => WHOLE_LETTERS[letter] ?? letter);
  // In other scripts the marks are vowels that have to stand: without them words fall together.
  if (!MARKED_AT_WILL.test(whole)) return whole.normalize("NFKC");
  return whole.normalize("NFKD").replace(MARKS, "").normalize("NFC");
}

/** Folded words with single spaces between: equal for names a reader would call the same. */
export function nameKey(text: string): string {
  const key = foldText(text).replace(NOT_WORD, " ").trim();
  return key === "" ? text.trim().toLowerCase() : key;
}

/** Cuts at the end of a word; `…` tells that there was more. Counts UTF-16 units, the sign included. */
export function cutAtWord(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const head = text.slice(0, charactersMax - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > charactersMax / 2 ? head.slice(0, space) : wholeCharacters(head);
  return `${cut.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/** Without the first half of a character cut in two. */
export function wholeCharacters(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\ud800-\udbff]$/, "");
}
