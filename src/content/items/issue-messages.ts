import type { z } from "zod";
import type { Wording } from "../../errors.ts";

const KIND_NAMES: Readonly<Record<string, Wording>> = {
  string: { en: "a text", de: "ein Text" },
  int: { en: "a whole number", de: "eine ganze Zahl" },
  number: { en: "a number", de: "eine Zahl" },
  boolean: { en: "true or false", de: "Ja oder Nein" },
  array: { en: "a list", de: "eine Liste" },
  object: { en: "a group of keys and values", de: "eine Gruppe von Angaben" },
  record: { en: "a group of keys and values", de: "eine Gruppe von Angaben" },
};

const FORMAT_MESSAGES: Readonly<Record<string, Wording>> = {
  email: {
    en: "is not an e-mail address",
    de: "ist keine E-Mail-Adresse, zum Beispiel name@example.org",
  },
  url: {
    en: "is not an absolute address, such as https://example.org/page",
    de: "ist keine vollständige Adresse, zum Beispiel https://example.org/seite",
  },
  datetime: {
    en: "is not a date and time, such as 2026-11-21T10:00:00Z",
    de: "ist kein Tag mit Uhrzeit",
  },
};

const UNIT_NAMES: Readonly<Record<string, Wording>> = {
  string: { en: "characters", de: "Zeichen" },
  array: { en: "entries", de: "Einträge" },
};

const IS_MISSING: Wording = { en: "is missing", de: "fehlt" };

/**
 * Translates a schema issue into plain words for authors. Returns undefined to keep the schema's
 * message. {@link wordingOfIssue} returns the message in every language.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const wording = describedIssue(issue);
  return wording === undefined ? undefined : withGerman(issue, wording);
}

/**
 * Returns a function to pass as the option `error` of a schema. The schema then reports this
 * message.
 */
export function createIssueMessage(wording: Wording): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => withGerman(issue, wording);
}

/** Creates an issue that a transformation in a Zod schema can report. */
export function createCustomIssue(
  wording: Wording,
  input: unknown,
): { code: "custom"; input: unknown; message: string; german: string } {
  return { code: "custom", input, message: wording.en, german: wording.de };
}

/**
 * The message of an issue in every language; the English message where a translation is missing.
 */
export function wordingOfIssue(issue: z.core.$ZodIssue): Wording {
  const german = "german" in issue && typeof issue.german === "string" ? issue.german : undefined;
  return { en: issue.message, de: german ?? issue.message };
}

/** Formats a path within an input, such as `relations.topics[1]`. */
export function formatInputPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (where, part) =>
      typeof part === "number" ? `${where}[${part}]` : `${where}${where && "."}${String(part)}`,
    "",
  );
}

/** Zod keeps only the English message; an extra property carries the German one. */
function withGerman(issue: z.core.$ZodRawIssue, { en, de }: Wording): string {
  issue["german"] = de;
  return en;
}

function describedIssue(issue: z.core.$ZodRawIssue): Wording | undefined {
  switch (issue.code) {
    case "invalid_type": {
      if (issue.input === undefined) return IS_MISSING;
      const { en, de } = KIND_NAMES[issue.expected] ?? { en: issue.expected, de: issue.expected };
      return { en: `must be ${en}`, de: `muss ${de} sein` };
    }
    case "invalid_value": {
      if (issue.input === undefined) return IS_MISSING;
      const isOne = issue.values.length === 1;
      const values = issue.values.join(", ");
      return {
        en: `must be ${isOne ? "" : "one of "}${values}`,
        de: isOne ? `muss ${values} sein` : `muss eins von diesen sein: ${values}`,
      };
    }
    case "invalid_format":
      return (
        FORMAT_MESSAGES[issue.format] ?? {
          en: "is not written as it should be",
          de: "ist nicht so geschrieben, wie es sein soll",
        }
      );
    case "unrecognized_keys": {
      const keys = issue.keys.join(", ");
      return {
        en: `has keys that mean nothing here: ${keys}`,
        de: `hat Angaben, die hier nichts bedeuten: ${keys}`,
      };
    }
    case "too_big":
      return tooBig(issue.origin, String(issue.maximum));
    case "too_small":
      return tooSmall(issue.origin, String(issue.minimum));
    case "not_multiple_of":
      return {
        en: `must be a multiple of ${issue.divisor}`,
        de: `muss ein Vielfaches von ${issue.divisor} sein`,
      };
    case "invalid_key":
      return {
        en: "has a name that cannot be used",
        de: "hat einen Namen, der nicht verwendet werden kann",
      };
    case "invalid_union":
      return {
        en: "is none of the forms this can take",
        de: "hat keine der möglichen Formen",
      };
    default:
      return undefined;
  }
}

function tooBig(origin: string, maximum: string): Wording {
  const unit = UNIT_NAMES[origin];
  return unit === undefined
    ? { en: `must be at most ${maximum}`, de: `darf höchstens ${maximum} sein` }
    : {
        en: `is longer than ${maximum} ${unit.en}`,
        de: `ist länger als ${maximum} ${unit.de}`,
      };
}

function tooSmall(origin: string, minimum: string): Wording {
  const unit = UNIT_NAMES[origin];
  if (unit === undefined) {
    return { en: `must be at least ${minimum}`, de: `muss mindestens ${minimum} sein` };
  }
  return minimum === "1"
    ? { en: "is empty", de: "fehlt" }
    : {
        en: `must be at least ${minimum} ${unit.en}`,
        de: `braucht mindestens ${minimum} ${unit.de}`,
      };
}
