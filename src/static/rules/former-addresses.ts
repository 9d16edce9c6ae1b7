import type { HostRulesInput } from "./host.ts";

export interface MovedUrl {
  from: string;
  to: string;
}

export function listMovedUrls({ former }: HostRulesInput): MovedUrl[] {
  return former.flatMap((each) => (each.kind === "moved" ? [each] : []));
}

export function countGoneUrls({ former }: HostRulesInput): number {
  return former.filter(({ kind }) => kind === "gone").length;
}

export function countFormerUrlsWithQuery({ former }: HostRulesInput): number {
  return former.filter(({ from }) => from.includes("?")).length;
}

/**
 * Returns a list with one note for the report, such as "3 redirects that …". The list is empty if the
 * count is not positive.
 */
export function formatNonZeroCount(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : [];
}
