import { parentPort } from "node:worker_threads";
import {
  convertPostToMarkdown,
  type PostHtml,
  type PostMarkdown,
} from "../../content/import/wordpress/post-markdown.ts";
import type { ThreadResult } from "../../work/limited-thread.ts";

parentPort?.on("message", (text: PostHtml) => {
  parentPort?.postMessage(replyTo(text));
});

function replyTo(text: PostHtml): ThreadResult<{ converted: PostMarkdown | null }> {
  try {
    return { converted: convertPostToMarkdown(text) };
  } catch (bug) {
    return { bug };
  }
}
