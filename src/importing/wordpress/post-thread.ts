import { parentPort } from "node:worker_threads";
import {
  type PostHtml,
  type PostMarkdown,
  postMarkdown,
} from "../../content/import/wordpress/post-markdown.ts";
import type { ThreadReply } from "../../work/limited-thread.ts";

parentPort?.on("message", (text: PostHtml) => {
  parentPort?.postMessage(replyTo(text));
});

function replyTo(text: PostHtml): ThreadReply<{ converted: PostMarkdown | null }> {
  try {
    return { converted: postMarkdown(text) };
  } catch (bug) {
    return { bug };
  }
}
