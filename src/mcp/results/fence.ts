import { longestRunLength } from "../../render/markdown-text.ts";

const FENCE_CHARACTERS_MIN = 3;

/**
 * Encloses content in a Markdown fence. The fence is longer than any sequence of backticks in the
 * content, so the content cannot close it and pose as text of the service.
 */
export function fenceContent(content: string): string {
  const fence = "`".repeat(Math.max(FENCE_CHARACTERS_MIN, longestRunLength(content, "`") + 1));
  return `${fence}\n${content}\n${fence}`;
}
