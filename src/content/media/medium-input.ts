import { z } from "zod";
import { SECRET_FAULT } from "../../access/credentials.ts";
import { containsKey } from "../../access/keys/key-format.ts";
import { inputError } from "../../errors.ts";
import { describeIssue, worded, wordingOf } from "../items/issue-messages.ts";
import { CONTROL_FAULT, cleanText } from "../items/validation.ts";

const ALT_CHARACTERS_MAX = 500;
const CREDIT_CHARACTERS_MAX = 300;

const line = (charactersMax: number) =>
  z
    .string()
    .trim()
    .max(charactersMax)
    .refine((text) => cleanText(text) !== null, { error: worded(CONTROL_FAULT) })
    .refine((text) => !containsKey(text), { error: worded(SECRET_FAULT) })
    .transform((text) => (cleanText(text) ?? "").replaceAll(/\s+/g, " "));

/** The credit line. */
export const creditSchema = line(CREDIT_CHARACTERS_MAX);

/** Also accepts the text form of booleans in URL queries. */
const flag = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .exactOptional();

/** The editable properties of a file. */
export const mediumInputSchema = z.strictObject({
  name: line(200)
    .pipe(
      z.string().min(1, { error: worded({ en: "is empty; leave it out instead", de: "fehlt" }) }),
    )
    .exactOptional(),
  alt: line(ALT_CHARACTERS_MAX).exactOptional(),
  isDecorative: flag,
  credit: creditSchema.exactOptional(),
  alwaysPublic: flag,
});

const changedLine = (charactersMax: number) =>
  line(charactersMax)
    .nullable()
    .transform((stated) => stated ?? "")
    .exactOptional();

/** Changes to the properties; null clears one. */
export const mediumChangeSchema = mediumInputSchema.extend({
  alt: changedLine(ALT_CHARACTERS_MAX),
  credit: changedLine(CREDIT_CHARACTERS_MAX),
});

export type MediumInput = z.output<typeof mediumInputSchema>;

/** @throws {AppError} `invalid`, with a problem for each fault. */
export function mediumInputOf(stated: Readonly<Record<string, unknown>>): MediumInput {
  const parsed = mediumInputSchema.safeParse(stated, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw inputError(
    {
      en: "Something is wrong with what is said of the file",
      de: "Etwas stimmt nicht mit den Angaben zur Datei",
    },
    parsed.error.issues.map((issue) => ({
      where: issue.path.join("."),
      message: wordingOf(issue),
    })),
  );
}
