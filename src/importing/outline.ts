import { type MarkdownOutline, parseMarkdownOutline } from "../content/import/markdown-outline.ts";
import { LimitedThread, type TextRejection } from "../work/limited-thread.ts";

/**
 * Texts longer than this are parsed in a thread. Up to this length, even the costliest text takes a
 * fraction of a second.
 */
const SMALL_CHARACTERS_MAX = 4000;

const thread = new LimitedThread<string, { outline: MarkdownOutline }>({
  program: new URL("./outline-thread.ts", import.meta.url),
  verb: "read",
  // A megabyte of prose takes 2 seconds and 200 MB; only malicious texts take more.
  cpuSecondsMax: 6,
  megabytesMax: 256,
});

/**
 * The outline of a body, or a refusal if parsing exceeds the limits of time or memory. Large bodies
 * are parsed in a thread.
 */
export async function parseOutlineWithinLimits(
  body: string,
): Promise<{ outline: MarkdownOutline } | TextRejection> {
  if (body.length <= SMALL_CHARACTERS_MAX) return { outline: parseMarkdownOutline(body) };
  return await thread.run(body);
}
