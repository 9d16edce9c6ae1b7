import { parentPort } from "node:worker_threads";
import {
  type HtmlTask,
  type HtmlTaskResult,
  runHtmlTask,
} from "../../content/import/html/html-task.ts";
import type { ThreadResult } from "../../work/limited-thread.ts";

parentPort?.on("message", (task: HtmlTask) => {
  parentPort?.postMessage(replyTo(task));
});

function replyTo(task: HtmlTask): ThreadResult<HtmlTaskResult> {
  try {
    return runHtmlTask(task);
  } catch (bug) {
    return { bug };
  }
}
