import { parentPort } from "node:worker_threads";
import { type MarkdownOutline, parseMarkdownOutline } from "../content/import/markdown-outline.ts";
import type { ThreadResult } from "../work/limited-thread.ts";

parentPort?.on("message", (body: string) => {
  parentPort?.postMessage(replyTo(body));
});

function replyTo(body: string): ThreadResult<{ outline: MarkdownOutline }> {
  try {
    return { outline: parseMarkdownOutline(body) };
  } catch (bug) {
    return { bug };
  }
}
