import { invalidInputError } from "./validation.ts";

/**
 * A canonical language tag (BCP 47); undefined if omitted.
 *
 * @throws {AppError} `invalid` for a malformed tag.
 */
export function canonicalizeLanguageTag(
  tag: string | undefined,
  subject: string,
): string | undefined {
  if (tag === undefined) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    throw invalidInputError(subject, [
      {
        where: "language",
        message: {
          en: `"${tag}" is not a language tag`,
          de: `„${tag}“ ist kein Sprachkürzel wie de oder pt-BR`,
        },
      },
    ]);
  }
}
