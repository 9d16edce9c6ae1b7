/**
 * Spellings that languages and centuries give the same sound, in order. Rough on purpose: it only brings
 * names closer that are then compared letter by letter.
 */
const SAME_SOUNDS: readonly [RegExp, string][] = [
  [/tsch|tch|ch(?=[eiy])|cz/g, "c"],
  [/sch|sh/g, "s"],
  [/ph|v|w/g, "f"],
  [/th|dt/g, "t"],
  [/tz|ts|c(?=[eiy])|z/g, "s"],
  [/kh|ck|ch|c|q/g, "k"],
  [/ae|oe/g, "e"],
  [/ij|ie|ey|ei|ii|y|j/g, "i"],
  [/ou|oo/g, "u"],
  [/(?<=.)h/g, ""],
  [/(.)\1+/g, "$1"],
  [/(?<=..)(?:us|os|es|is|e|n)$/g, ""],
];

/** A folded word by its sound: "tschechow" and "chekhov" are equal. */
function wordSound(word: string): string {
  return SAME_SOUNDS.reduce((sound, [letters, by]) => sound.replace(letters, by), word);
}

/** Folded words separated by single spaces, each by its sound. */
export function soundOf(name: string): string {
  return name.split(" ").map(wordSound).join(" ");
}
