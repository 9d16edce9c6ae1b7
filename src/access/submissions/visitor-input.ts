import { domainToASCII } from "node:url";
import { z } from "zod";

export const INPUT_CHARACTERS_MAX = {
  name: 100,
  email: 254,
  organisation: 200,
  task: 2000,
  data: 2000,
  about: 300,
  message: 10_000,
} as const;

/** Matches control characters except line breaks and tabs. */
const CONTROL_CHARACTER = /[^\P{Cc}\t\n]/u;
/**
 * Matches a domain of letters, digits, hyphens and the four characters that separate labels in UTS #46.
 * Anything else is not converted, because `domainToASCII` decodes `%6d` and drops paths and queries.
 */
const DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const LINE_BREAK = /[\t\n\u2028\u2029]/u;

interface TextRule {
  charactersMax: number;
  /** The error for an empty text; if omitted, the text is optional. */
  whenEmpty?: string;
}

/** A text of one line: trimmed, NFC, without control characters. */
export function singleLineTextSchema(rule: TextRule) {
  return requiredText(rule).refine((text) => !LINE_BREAK.test(text), {
    error: "Write this on one line",
    params: { fault: "severalLines" },
  });
}

/** Like {@link singleLineTextSchema}, but with any number of lines. */
export function multiLineTextSchema(rule: TextRule) {
  return requiredText(rule);
}

/** An e-mail address; an internationalised domain is converted to ASCII. */
export const emailAddressSchema = z
  .string({ error: "Give an e-mail address" })
  .transform(asciiAddress)
  .pipe(
    z
      .email({ error: "Give an e-mail address, as name@example.org" })
      .max(INPUT_CHARACTERS_MAX.email, {
        error: `Give at most ${INPUT_CHARACTERS_MAX.email} characters`,
      }),
  );

function requiredText({ charactersMax, whenEmpty }: TextRule) {
  return z
    .string({ error: whenEmpty ?? "must be a text" })
    .transform((text) => text.normalize("NFC").replaceAll(/\r\n?/g, "\n").trim())
    .pipe(
      z
        .string()
        .min(whenEmpty === undefined ? 0 : 1, { error: whenEmpty ?? "is empty" })
        .max(charactersMax, { error: `Give at most ${charactersMax} characters` })
        .refine((text) => !CONTROL_CHARACTER.test(text), {
          error: "Leave out control characters: they cannot be shown",
          params: { fault: "controlCharacters" },
        }),
    );
}

function asciiAddress(address: string): string {
  const trimmed = address.trim();
  const at = trimmed.lastIndexOf("@");
  if (at === -1) return trimmed;
  const domain = trimmed.slice(at + 1);
  if (!DOMAIN.test(domain)) return trimmed;
  return `${trimmed.slice(0, at)}@${domainToASCII(domain)}`;
}
