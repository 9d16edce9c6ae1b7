import type { Wording } from "../../../errors.ts";

/** A message about something changed or left out, with its front matter key or line in the body. */
export type ConversionNote = { message: Wording } & ({ key: string } | { bodyLine: number });
