import type { RuleInput } from "./host.ts";

export interface MovedAddress {
  from: string;
  to: string;
}

export function movedAddresses({ former }: RuleInput): MovedAddress[] {
  return former.flatMap((each) => (each.kind === "moved" ? [each] : []));
}

export function goneCount({ former }: RuleInput): number {
  return former.filter(({ kind }) => kind === "gone").length;
}

export function queryCount({ former }: RuleInput): number {
  return former.filter(({ from }) => from.includes("?")).length;
}

/** One sentence for a report, or none if nothing is over the limit. */
export function overLimit(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : [];
}
