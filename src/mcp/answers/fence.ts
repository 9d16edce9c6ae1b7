import { longestRun } from "../../render/markdown-text.ts";

const FENCE_MIN = 3;

/**
 * Encloses content between two lines of backticks, more than any run of them in it, so that no text can
 * end its own fence and pass for what the service says.
 */
export function fenced(content: string): string {
  const fence = "`".repeat(Math.max(FENCE_MIN, longestRun(content, "`") + 1));
  return `${fence}\n${content}\n${fence}`;
}
