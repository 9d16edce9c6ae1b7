import { longestRun } from "../../render/markdown-text.ts";

const FENCE_MIN = 3;

/**
 * Encloses content between two lines of backticks, longer than any run of them in it, so that no
 * content can close its fence and pass for the service's own words.
 */
export function fenced(content: string): string {
  const fence = "`".repeat(Math.max(FENCE_MIN, longestRun(content, "`") + 1));
  return `${fence}\n${content}\n${fence}`;
}
