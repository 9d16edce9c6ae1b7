import type { Wording } from "../../../errors.ts";

/** What was changed or left out of a file, by key or by line of the body. */
export type Note = { message: Wording } & ({ key: string } | { bodyLine: number });
