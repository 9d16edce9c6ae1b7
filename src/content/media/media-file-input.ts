import { z } from "zod";
import { SECRET_IN_INPUT_ERROR } from "../../access/credentials.ts";
import { containsKey } from "../../access/keys/key-format.ts";
import { inputError } from "../../errors.ts";
import { createIssueMessage, describeIssue, wordingOfIssue } from "../items/issue-messages.ts";
import { CONTROL_CHARACTER_ERROR, cleanText } from "../items/validation.ts";

const NAME_CHARACTERS_MAX = 200;
const ALT_CHARACTERS_MAX = 500;
const CREDIT_CHARACTERS_MAX = 300;

const lineSchema = (charactersMax: number) =>
  z
    .string()
    .trim()
    .max(charactersMax)
    .refine((text) => cleanText(text) !== null, {
      error: createIssueMessage(CONTROL_CHARACTER_ERROR),
    })
    .refine((text) => !containsKey(text), { error: createIssueMessage(SECRET_IN_INPUT_ERROR) })
    .transform((text) => (cleanText(text) ?? "").replaceAll(/\s+/g, " "));

export const creditSchema = lineSchema(CREDIT_CHARACTERS_MAX);

/** A boolean, or its text form in a URL query. */
const flagSchema = z
  .union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")])
  .exactOptional();

/** The editable properties of a file. */
export const mediaFileInputSchema = z.strictObject({
  name: lineSchema(NAME_CHARACTERS_MAX)
    .pipe(
      z.string().min(1, {
        error: createIssueMessage({ en: "is empty; leave it out instead", de: "fehlt" }),
      }),
    )
    .exactOptional(),
  alt: lineSchema(ALT_CHARACTERS_MAX).exactOptional(),
  isDecorative: flagSchema,
  credit: creditSchema.exactOptional(),
  alwaysPublic: flagSchema,
});

const clearableLineSchema = (charactersMax: number) =>
  lineSchema(charactersMax)
    .nullable()
    .transform((text) => text ?? "")
    .exactOptional();

/** Changes to the editable properties; null clears a property. */
export const mediaFileChangeSchema = mediaFileInputSchema.extend({
  alt: clearableLineSchema(ALT_CHARACTERS_MAX),
  credit: clearableLineSchema(CREDIT_CHARACTERS_MAX),
});

export type MediaFileInput = z.output<typeof mediaFileInputSchema>;

/**
 * The name of a file as its name on the site. Keeps only the end of a long name, and leaves out control
 * characters, which file systems allow.
 *
 * @throws {AppError} `invalid` if the name contains an access key.
 */
export function mediaFileInputFromName(fileName: string): MediaFileInput {
  const name = fileName.toWellFormed().replaceAll(CONTROL_CHARACTERS, " ").trim();
  const end = name.slice(-NAME_CHARACTERS_MAX).replace(LONE_SURROGATE, "").trim();
  return parseMediaFileInput(end === "" ? {} : { name: end });
}

const CONTROL_CHARACTERS = /\p{Cc}+/gu;
/** Half of the character at which a name was cut. */
const LONE_SURROGATE = /^\p{Surrogate}/u;

/** @throws {AppError} `invalid`, with a problem for each fault. */
export function parseMediaFileInput(properties: Readonly<Record<string, unknown>>): MediaFileInput {
  const parsed = mediaFileInputSchema.safeParse(properties, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw inputError(
    {
      en: "Something is wrong with what is said of the file",
      de: "Etwas stimmt nicht mit den Angaben zur Datei",
    },
    parsed.error.issues.map((issue) => ({
      where: issue.path.join("."),
      message: wordingOfIssue(issue),
    })),
  );
}
