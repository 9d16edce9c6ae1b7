import type { Wording } from "../../errors.ts";

const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 200;
const DIFFERENT_CHARACTERS_MIN = 5;
const TOO_EASY: Wording = { en: "is too easy to guess", de: "ist zu leicht zu erraten" };
const TOO_COMMON: Wording = {
  en: "is too easy to guess: it is a common password with additions; a few words in a row are better",
  de: "ist zu leicht zu erraten: Es ist ein verbreitetes Passwort mit Zusätzen; ein paar Wörter hintereinander sind besser",
};
const NON_LETTERS_AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;
/** Characters that people substitute for letters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/**
 * Why a new password is refused; null: it is accepted.
 *
 * @param about the name and e-mail address of the person, and the name of the site.
 */
export async function describeNewPasswordError(
  password: string,
  about: readonly string[],
): Promise<Wording | null> {
  const length = [...password].length;
  if (length < CHARACTERS_MIN) {
    return {
      en: `must have at least ${CHARACTERS_MIN} characters; a few words in a row will do`,
      de: `braucht mindestens ${CHARACTERS_MIN} Zeichen; ein paar Wörter hintereinander genügen`,
    };
  }
  if (password.length > CHARACTERS_MAX) {
    return {
      en: `is longer than ${CHARACTERS_MAX} characters`,
      de: `ist länger als ${CHARACTERS_MAX} Zeichen`,
    };
  }
  if (new Set(password).size < DIFFERENT_CHARACTERS_MIN) return TOO_EASY;
  const folded = password.normalize("NFKC").toLowerCase();
  if (/^[\d\s.,/-]+$/.test(folded)) {
    return {
      en: `${TOO_EASY.en}: it is nothing but digits`,
      de: `${TOO_EASY.de}: Es besteht nur aus Ziffern`,
    };
  }
  const common = await commonPasswords();
  const isCommon = (text: string) => common.has(text) || isRepeatedText(text, common);
  if (isCommon(folded)) return TOO_COMMON;
  const personalWords = wordsOf(about);
  for (const form of [folded, withoutLookalikes(folded.replace(NON_LETTERS_AROUND, ""))]) {
    const fault = wordFault(wordsIn(form), {
      personalWords,
      isCommon,
      lengthMin: folded.length / 2,
    });
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * Reports why the words of a password are too easy to guess; null if they are acceptable. They are acceptable
 * if they make up less than half of the password. Otherwise they are too easy if all of them are in
 * `personalWords`, or all but one, which is a common password.
 */
function wordFault(
  words: readonly string[],
  {
    personalWords,
    isCommon,
    lengthMin,
  }: { personalWords: ReadonlySet<string>; isCommon: (text: string) => boolean; lengthMin: number },
): Wording | null {
  if (words.join("").length < lengthMin) return null;
  const others = new Set(words.filter((word) => !personalWords.has(word)));
  if (others.size === 0) {
    return {
      en: `${TOO_EASY.en}: it is your name or address, or the name of the site`,
      de: `${TOO_EASY.de}: Es ist Ihr Name, Ihre Adresse oder der Name der Website`,
    };
  }
  const [only = ""] = others;
  return others.size === 1 && isCommon(only) ? TOO_COMMON : null;
}

/**
 * Loads the list of common passwords when a password is first chosen, not at startup, because loading is
 * slow.
 */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"]),
  );
  return await loading;
}

let loading: Promise<ReadonlySet<string>> | null = null;

/** Whether the text repeats a common password. The last repetition may be cut off. */
function isRepeatedText(text: string, common: ReadonlySet<string>): boolean {
  for (let length = 3; length <= text.length / 2; length += 1) {
    const part = text.slice(0, length);
    if (common.has(part) && part.repeat(Math.ceil(text.length / length)).startsWith(text)) {
      return true;
    }
  }
  return false;
}

/**
 * The words of each text, and also each text's words joined into one: `jane doe` gives `jane`,
 * `doe` and `janedoe`.
 */
function wordsOf(about: readonly string[]): ReadonlySet<string> {
  const words = about.map((text) => wordsIn(text.normalize("NFKC").toLowerCase()));
  return new Set(words.flatMap((each) => [...each, each.join("")]));
}

/** Returns sequences of at least three letters. Ignores digits and symbols around a word. */
function wordsIn(text: string): string[] {
  return text.match(/\p{L}{3,}/gu) ?? [];
}

function withoutLookalikes(text: string): string {
  return [...text].map((character) => LOOKALIKES[character] ?? character).join("");
}
