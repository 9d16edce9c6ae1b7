import type { Wording } from "../../../errors.ts";

/** A message about something changed or left out, with its key or its line of the body. */
export type Note = { message: Wording } & ({ key: string } | { bodyLine: number });
