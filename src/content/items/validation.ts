import { z } from "zod";
import { redactIssuedSecrets, SECRET_IN_INPUT_ERROR } from "../../access/credentials.ts";
import { containsKey } from "../../access/keys/key-format.ts";
import { type AppError, inputError, type Problem, type Wording } from "../../errors.ts";
import type { ContentType, Field, FieldValue } from "../types/content-type.ts";
import { isTimeOfDayField } from "../types/date-fields.ts";
import { isPictureField } from "../types/portrait.ts";
import {
  createCustomIssue,
  createIssueMessage,
  formatInputPath,
  wordingOfIssue,
} from "./issue-messages.ts";
import type { Item, ItemInput } from "./item.ts";
import { normalizePartialDate, PARTIAL_DATE_HINT } from "./partial-date.ts";
import {
  findOnlyPicturePath,
  findUncreditedPortraitProblem,
  PICTURE_HINT,
} from "./portrait-fields.ts";
import { findReversedTimesProblem } from "./reversed-times.ts";
import { parseTimeOfDay, TIME_HINT } from "./time-of-day.ts";

const TEXT_CHARACTERS_MAX = 2000;
/** Limits the cost of building a page, which always renders an item's Markdown fields. */
const MARKDOWN_CHARACTERS_MAX = 32_768;
const LIST_ENTRIES_MAX = 200;
export const CONTROL_CHARACTER_ERROR: Wording = {
  en: "contains control characters",
  de: "enthält Steuerzeichen: Lassen Sie sie weg",
};

/** Control characters are invalid in text; search uses two of them to mark matches. */
const CONTROL_CHARACTER = /(?![\t\n\r])\p{Cc}/u;

const schemas = new WeakMap<ContentType, z.ZodType<Record<string, FieldValue | undefined>>>();

/**
 * Validates the fields of an item against its type. Drops nulls, and returns the rest in order of
 * declaration.
 *
 * @throws {AppError} `invalid`, with a problem for each wrong field.
 */
export function validateFields(
  type: ContentType,
  fields: Readonly<Record<string, unknown>>,
  subject: string,
): Record<string, FieldValue> {
  const parsed = fieldsSchema(type).safeParse(fields);
  if (!parsed.success) {
    throw invalidInputError(
      subject,
      parsed.error.issues.flatMap((issue) => fieldProblems(issue, type)),
    );
  }
  const checkedFields: Record<string, FieldValue> = {};
  for (const name of Object.keys(type.fields)) {
    const value = parsed.data[name];
    if (value !== undefined) checkedFields[name] = value;
  }
  const problem =
    findReversedTimesProblem(checkedFields, type) ??
    findUncreditedPortraitProblem(checkedFields, type.portrait);
  if (problem !== null) throw invalidInputError(subject, [problem]);
  return checkedFields;
}

/** Converts text to LF line ends and NFC; null for control characters or lone surrogates. */
export function cleanText(text: string): string | null {
  if (text === "") return text;
  if (CONTROL_CHARACTER.test(text) || !text.isWellFormed()) return null;
  return (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text).normalize("NFC");
}

/** The error for an invalid input, with all problems in its message. */
export function invalidInputError(subject: string, problems: readonly Problem[]): AppError {
  return inputError(
    { en: `Cannot save ${subject}`, de: "Das lässt sich so nicht speichern" },
    problems,
  );
}

function fieldProblems(issue: z.core.$ZodIssue, type: ContentType): Problem[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ where: formatInputPath(["fields", ...issue.path]), message: wordingOfIssue(issue) }];
  }
  const knownNames = Object.keys(type.fields).join(", ") || "none";
  return issue.keys.map((key) => ({
    where: `fields.${key}`,
    message: {
      en: `${type.plural} have no such field (they have: ${knownNames})`,
      de: `Dieses Feld gibt es hier nicht; es gibt: ${knownNames}`,
    },
  }));
}

/** The issues found by a schema, with their paths. */
export function problemsOf({ issues }: z.core.$ZodError): Problem[] {
  return issues.map((issue) => ({
    where: formatInputPath(issue.path),
    message: wordingOfIssue(issue),
  }));
}

function fieldsSchema(type: ContentType): z.ZodType<Record<string, FieldValue | undefined>> {
  const cached = schemas.get(type);
  if (cached !== undefined) return cached;
  const shape = Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => [
      name,
      schemaOf(type, name, field)
        .nullish()
        .transform((value) => value ?? undefined),
    ]),
  );
  const schema = z.strictObject(shape);
  schemas.set(type, schema);
  return schema;
}

function schemaOf(type: ContentType, name: string, field: Field): z.ZodType<FieldValue> {
  if (isTimeOfDayField(type, name)) return timeSchema;
  return isPictureField(type, name) ? pictureSchema : valueSchema(field);
}

function valueSchema(field: Field): z.ZodType<FieldValue> {
  switch (field.kind) {
    case "text":
      return textSchema(TEXT_CHARACTERS_MAX);
    case "markdown":
      return textSchema(MARKDOWN_CHARACTERS_MAX);
    case "integer":
      return z.int({
        error: createIssueMessage({
          en: "give a whole number",
          de: "Geben Sie eine ganze Zahl an",
        }),
      });
    case "number":
      return z.number({
        error: createIssueMessage({ en: "give a number", de: "Geben Sie eine Zahl an" }),
      });
    case "boolean":
      return z.boolean({
        error: createIssueMessage({ en: "give true or false", de: "Wählen Sie Ja oder Nein" }),
      });
    case "date":
      return z.iso.date({
        error: createIssueMessage({
          en: "give a day as YYYY-MM-DD",
          de: "Geben Sie einen Tag an, als 2026-11-21",
        }),
      });
    case "partial_date":
      return partialDateSchema;
    case "url":
      return z.url({
        protocol: /^https?$/,
        error: createIssueMessage({
          en: "give an absolute http(s) address",
          de: "Geben Sie eine vollständige Adresse an, die mit https:// oder http:// beginnt",
        }),
      });
    case "enum":
      return z.enum(field.values ?? [], {
        error: createIssueMessage({
          en: `use one of ${field.values?.join(", ")}`,
          de: `Wählen Sie eins von ${field.values?.join(", ")}`,
        }),
      });
    case "text_list":
      return z
        .array(textSchema(TEXT_CHARACTERS_MAX), {
          error: createIssueMessage({
            en: "give a list of texts",
            de: "Geben Sie eine Liste von Texten an",
          }),
        })
        .max(LIST_ENTRIES_MAX, {
          error: createIssueMessage({
            en: `give at most ${LIST_ENTRIES_MAX} entries`,
            de: `Geben Sie höchstens ${LIST_ENTRIES_MAX} Einträge an`,
          }),
        });
  }
}

/** Accepts only times of day. For any other text, the page would show no time. */
const timeSchema = textSchema(TEXT_CHARACTERS_MAX).transform((text, context) => {
  const time = parseTimeOfDay(text);
  if (time !== null) return time;
  context.issues.push(createCustomIssue(TIME_HINT, text));
  return z.NEVER;
});

const pictureSchema = textSchema(TEXT_CHARACTERS_MAX).transform((text, context) => {
  const address = findOnlyPicturePath(text);
  if (address !== null) return address;
  context.issues.push(createCustomIssue(PICTURE_HINT, text));
  return z.NEVER;
});

function textSchema(charactersMax: number): z.ZodType<string> {
  return z
    .string({
      error: createIssueMessage({
        en: "give a text (a number needs quotation marks)",
        de: "Geben Sie einen Text an",
      }),
    })
    .normalize()
    .trim()
    .min(1, { error: createIssueMessage({ en: "is empty; leave it out instead", de: "ist leer" }) })
    .max(charactersMax, {
      error: createIssueMessage({
        en: `is longer than ${charactersMax} characters`,
        de: `ist länger als ${charactersMax} Zeichen`,
      }),
    })
    .transform((text, context) => {
      const clean = cleanText(text);
      if (clean !== null) return clean;
      context.issues.push(createCustomIssue(CONTROL_CHARACTER_ERROR, text));
      return z.NEVER;
    });
}

/** Accepts numbers too, because YAML parses a bare year as a number. */
const partialDateSchema = z
  .union([z.string(), z.int()], { error: createIssueMessage(PARTIAL_DATE_HINT) })
  .transform((value, context) => {
    const date = normalizePartialDate(String(value));
    if (date !== null) return date;
    context.issues.push(createCustomIssue(PARTIAL_DATE_HINT, value));
    return z.NEVER;
  });

/**
 * Normalises the texts of an item to NFC and LF line ends, and its title and summary to one line.
 *
 * @throws {AppError} `invalid` if a text contains control characters, or the input contains an
 * access key.
 */
export function cleanItemTexts(
  input: ItemInput,
  subject: string,
): Pick<Item, "title" | "summary" | "body"> {
  refuseKeys(input, subject);
  const problems: Problem[] = [];
  const cleanPart = (where: "title" | "summary" | "body"): string => {
    const text = cleanText(input[where]);
    if (text === null) problems.push({ where, message: CONTROL_CHARACTER_ERROR });
    return text ?? "";
  };
  const checkedTexts = {
    title: cleanPart("title").replace(/\s+/g, " "),
    summary: cleanPart("summary").replace(/\s+/g, " "),
    body: cleanPart("body"),
  };
  if (problems.length > 0) throw invalidInputError(subject, problems);
  return checkedTexts;
}

/**
 * Refuses an input that contains an access key. A key must not be published in a text, and a key in
 * a path must not reach the audit log.
 */
function refuseKeys(input: ItemInput, subject: string): void {
  const problems: Problem[] = [];
  for (const [where, value] of Object.entries(input)) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (containsKey(text)) problems.push({ where, message: SECRET_IN_INPUT_ERROR });
  }
  if (problems.length > 0) throw invalidInputError(redactIssuedSecrets(subject), problems);
}

/**
 * A source key in NFC; undefined if omitted.
 *
 * @throws {AppError} `invalid` if it looks like a path, or contains control characters or a carriage return.
 */
export function cleanSourceKey(sourceKey: string | undefined, subject: string): string | undefined {
  if (sourceKey === undefined) return undefined;
  const cleanKey = sourceKey.normalize("NFC");
  // Look-ups convert a key to NFC and change nothing else. They would not find a key whose line breaks
  // `cleanText` has changed, so such a key is refused.
  if (cleanText(sourceKey) !== cleanKey) {
    throw invalidInputError(subject, [{ where: "sourceKey", message: CONTROL_CHARACTER_ERROR }]);
  }
  if (cleanKey.startsWith("/")) {
    throw invalidInputError(subject, [
      {
        where: "sourceKey",
        message: { en: 'must not start with "/"', de: "darf nicht mit „/“ beginnen" },
      },
    ]);
  }
  return cleanKey;
}
