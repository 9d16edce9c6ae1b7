import type { ItemInput } from "../items/item.ts";

/** What is wrong with a piece of an import, and where. A warning does not keep the item out. */
export interface ImportProblem {
  /** From 1. */
  line: number;
  /** The key as its author wrote it; empty when the whole piece cannot be read. */
  field: string;
  message: string;
  severity: "error" | "warning";
}

/** One item of an import, as far as it could be understood. */
export interface ParsedItem {
  /** As given, relative to the folder of the import. */
  file: string;
  /** Null when there are errors. */
  input: ItemInput | null;
  problems: readonly ImportProblem[];
  /** Did the author say which status the item has? */
  statesStatus: boolean;
  /** Does it say that it is not public? Then it is kept as a draft, whatever the import is told to do. */
  isHeldBack: boolean;
  /** The line and key behind a place within the input, such as `fields.year`. */
  placeOf(where: string): { line: number; field: string };
}

/** What becomes of keys and types nobody has declared: errors, or left out with a warning. */
export type Unknown = "refuse" | "leave_out";

/** What cannot be read at all. */
export function unreadable(file: string, line: number, message: string): ParsedItem {
  const place = { line, field: "" };
  return {
    file,
    input: null,
    problems: [{ ...place, message, severity: "error" }],
    statesStatus: false,
    isHeldBack: false,
    placeOf: () => place,
  };
}
