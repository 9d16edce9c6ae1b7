import type { RuleInput } from "./host.ts";

export interface MovedAddress {
  from: string;
  to: string;
}

export function movedAddresses({ former }: RuleInput): MovedAddress[] {
  return former.flatMap((each) => (each.kind === "moved" ? [each] : []));
}

export function goneAddressCount({ former }: RuleInput): number {
  return former.filter(({ kind }) => kind === "gone").length;
}

export function formerQueryAddressCount({ former }: RuleInput): number {
  return former.filter(({ from }) => from.includes("?")).length;
}

/**
 * Returns a list with one note for the report, such as "3 redirects that …". The list is empty if the
 * count is not positive.
 */
export function nonZeroCountNote(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : [];
}
