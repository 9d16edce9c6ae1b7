import { parentPort } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import type { ThreadResult } from "../../work/limited-thread.ts";
import { convertPasteToMarkdown } from "./pasted-html.ts";

parentPort?.on("message", (html: string) => {
  parentPort?.postMessage(replyTo(html));
});

function replyTo(html: string): ThreadResult<{ markdown: string }> {
  try {
    return { markdown: convertPasteToMarkdown(html) };
  } catch (error) {
    return error instanceof AppError ? { refusal: error.wording } : { bug: error };
  }
}
