import { longestRun } from "../../render/markdown-text.ts";

const FENCE_CHARACTERS_MIN = 3;

/**
 * Encloses content between two lines of backticks. They are longer than any run of backticks in the
 * content, so that it cannot close the fence and pass for the service's own words.
 */
export function fencedContent(content: string): string {
  const fence = "`".repeat(Math.max(FENCE_CHARACTERS_MIN, longestRun(content, "`") + 1));
  return `${fence}\n${content}\n${fence}`;
}
