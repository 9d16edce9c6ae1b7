import { parentPort } from "node:worker_threads";
import { type MarkdownOutline, markdownOutlineOf } from "../content/import/markdown-outline.ts";
import type { ThreadReply } from "../work/limited-thread.ts";

parentPort?.on("message", (body: string) => {
  parentPort?.postMessage(replyTo(body));
});

function replyTo(body: string): ThreadReply<{ outline: MarkdownOutline }> {
  try {
    return { outline: markdownOutlineOf(body) };
  } catch (bug) {
    return { bug };
  }
}
