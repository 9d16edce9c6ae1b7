import type { Wording } from "../../errors.ts";
import type { ItemInput } from "../items/item.ts";
import type { RedirectPair } from "./redirects/redirect-rule.ts";

/** A problem with an item, and its position in the file. A warning does not reject the item. */
export interface ImportProblem {
  /** Line number in the file, from 1. */
  line: number;
  /** The key as written; empty if the whole item cannot be parsed. */
  field: string;
  message: Wording;
  severity: "error" | "warning";
}

export interface ParsedItem {
  /** The path of the file, relative to the import folder. */
  file: string;
  /** The item, without parts that have errors; null if the item cannot be saved. */
  input: ItemInput | null;
  problems: readonly ImportProblem[];
  /** Whether the input specifies a status. */
  hasStatus: boolean;
  /**
   * Whether the input says that the item is not public. The item is then saved as a draft,
   * regardless of the import options.
   */
  isNotPublic: boolean;
  /**
   * Whether the input comes from an export of this service. An import that publishes what it imports then
   * publishes the item only if its own status is `published`.
   */
  isExported?: boolean;
  /** When the item was last changed in its source; ISO 8601, UTC. Absent: unknown. */
  updatedAt?: string;
  /**
   * Whether the item was deleted in its source. Only its address is then imported, and requests for
   * it get status 410.
   */
  isDeleted?: boolean;
  /** Why a file that is not content was skipped; null: the file is content. */
  skipped: Wording | null;
  /**
   * For a page that only redirects: each of its former addresses with its target. Absent for other
   * files.
   */
  redirects?: readonly RedirectPair[];
  /** Keys and types that have no equivalent here. They are left out without a warning. */
  leftOut: readonly string[];
  /** Returns the line and key in the file for a path in the input, such as `fields.year`. */
  placeOf(where: string): { line: number; field: string };
}

/**
 * How undeclared keys and types are treated: they are refused as errors, left out with a warning, or left
 * out and counted.
 */
export type UndeclaredKeyPolicy = "refuse" | "leave_out" | "count";

/** The result for an item that cannot be parsed at all. */
export function createUnreadableItem(file: string, line: number, message: Wording): ParsedItem {
  const place = { line, field: "" };
  return {
    file,
    input: null,
    problems: [{ ...place, message, severity: "error" }],
    hasStatus: false,
    isNotPublic: false,
    skipped: null,
    leftOut: [],
    placeOf: () => place,
  };
}
