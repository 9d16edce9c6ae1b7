import { z } from "zod";
import { GENERATOR_CHOICES } from "./generator-choices.ts";

const NAME_CHARACTERS_MAX = 100;
const PAIRS_MAX = 50;

/** A person's choices for the import of a folder, an export or a workbook. */
export const sourceChoicesSchema = z.strictObject({
  /** Pairs of types: `post=page` imports posts of a former site as pages. */
  as: z.array(z.string().min(1).max(NAME_CHARACTERS_MAX)).max(PAIRS_MAX).exactOptional(),
  /** The site generator that a folder was written for. */
  generator: z.enum(GENERATOR_CHOICES).exactOptional(),
  sheet: z.string().min(1).max(NAME_CHARACTERS_MAX).exactOptional(),
});

export type SourceChoices = z.output<typeof sourceChoicesSchema>;

/** Choices for imports, keyed by the name of the imported folder or file. Repeated imports use them again. */
export const sourceChoicesByNameSchema = z.record(
  z.string().min(1).max(NAME_CHARACTERS_MAX),
  sourceChoicesSchema,
);
