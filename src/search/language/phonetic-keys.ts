/**
 * Replacements that give one spelling to each sound, because spellings of a sound differ between
 * languages and centuries. The order matters. The replacements are deliberately rough, because keys are
 * compared only for names that already look alike.
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

/** The phonetic key of a folded word. For example, "tschechow" and "chekhov" have the same key. */
function wordKey(word: string): string {
  return SAME_SOUNDS.reduce((sound, [letters, by]) => sound.replace(letters, by), word);
}

/** The phonetic key of each word. Expects folded words separated by single spaces. */
export function phoneticKey(name: string): string {
  return name.split(" ").map(wordKey).join(" ");
}
