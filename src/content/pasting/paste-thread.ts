import { parentPort } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import type { ThreadReply } from "../../work/limited-thread.ts";
import { markdownFromPaste } from "./pasted-html.ts";

parentPort?.on("message", (html: string) => {
  parentPort?.postMessage(replyTo(html));
});

function replyTo(html: string): ThreadReply<{ markdown: string }> {
  try {
    return { markdown: markdownFromPaste(html) };
  } catch (error) {
    return error instanceof AppError ? { refusal: error.wording } : { bug: error };
  }
}
