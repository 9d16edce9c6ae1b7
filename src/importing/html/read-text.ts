import type { FolderConventions } from "../../content/import/conventions/folder-conventions.ts";
import {
  type HtmlTask,
  type HtmlTaskResult,
  runHtmlTask,
} from "../../content/import/html/html-task.ts";
import { type MarkdownFile, readMarkdownInSteps } from "../../content/import/markdown-file.ts";
import type { MarkdownFileContent } from "../../content/import/parsing/markdown-file-content.ts";
import { LimitedThread } from "../../work/limited-thread.ts";

/**
 * Pages longer than this are converted in a thread. Up to this length, even the costliest page takes
 * a fraction of a second.
 */
const SMALL_CHARACTERS_MAX = 20_000;

const thread = new LimitedThread<HtmlTask, HtmlTaskResult>({
  program: new URL("./html-thread.ts", import.meta.url),
  verb: "convert",
  // A megabyte of prose takes 2 seconds and 120 MB; only malicious pages take more.
  cpuSecondsMax: 7,
  megabytesMax: 256,
});

/** Reads a text. Large HTML pages are converted in a thread with limits of time and memory. */
export async function readTextWithinLimits(
  file: MarkdownFile,
  conventions: FolderConventions | null,
): Promise<MarkdownFileContent> {
  const steps = readMarkdownInSteps(file, conventions);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await convertHtmlWithinLimits(step.value));
  return step.value;
}

/** Runs one step of reading a page, in a thread if the page is large. */
export async function convertHtmlWithinLimits(task: HtmlTask): Promise<HtmlTaskResult> {
  if (task.html.length <= SMALL_CHARACTERS_MAX) return runHtmlTask(task);
  const response = await thread.run(task);
  return "refusal" in response
    ? { metadata: {}, markdown: null, fault: response.refusal }
    : response;
}
