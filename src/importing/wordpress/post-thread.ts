import { parentPort } from "node:worker_threads";
import {
  type PostMarkdown,
  type PostText,
  postMarkdown,
} from "../../content/import/wordpress/post-markdown.ts";
import type { ThreadReply } from "../../work/limited-thread.ts";

parentPort?.on("message", (text: PostText) => {
  parentPort?.postMessage(replyTo(text));
});

function replyTo(text: PostText): ThreadReply<{ converted: PostMarkdown | null }> {
  try {
    return { converted: postMarkdown(text) };
  } catch (bug) {
    return { bug };
  }
}
