import {
  convertPostToMarkdown,
  type PostHtml,
  type PostMarkdown,
} from "../../content/import/wordpress/post-markdown.ts";
import { LimitedThread, type TextRejection } from "../../work/limited-thread.ts";

/**
 * Texts longer than this are converted in a thread. Up to this length, even the costliest text takes
 * a fraction of a second.
 */
const SMALL_CHARACTERS_MAX = 20_000;
/** Time limit of a conversion in the thread. A text of 1 MiB takes 2 to 3 seconds. */
const CPU_SECONDS_MAX = 10;
const MEGABYTES_MAX = 400;
const TOO_DEEP: TextRejection = {
  refusal: { en: "nests too deep", de: "ist zu tief verschachtelt" },
};

const thread = new LimitedThread<PostHtml, { converted: PostMarkdown | null }>({
  program: new URL("./post-thread.ts", import.meta.url),
  verb: "convert",
  cpuSecondsMax: CPU_SECONDS_MAX,
  megabytesMax: MEGABYTES_MAX,
});

/**
 * A text as Markdown, or a refusal if the text nests too deep or exceeds the limits of time or
 * memory. Large texts are converted in a thread.
 */
export async function convertPostWithinLimits(
  text: PostHtml,
): Promise<PostMarkdown | TextRejection> {
  if (text.html.length <= SMALL_CHARACTERS_MAX) return convertPostToMarkdown(text) ?? TOO_DEEP;
  const response = await thread.run(text);
  return "refusal" in response ? response : (response.converted ?? TOO_DEEP);
}
