import { parentPort } from "node:worker_threads";
import { type HtmlReply, type HtmlTask, htmlReply } from "../../content/import/html/html-task.ts";
import type { ThreadReply } from "../../work/limited-thread.ts";

parentPort?.on("message", (task: HtmlTask) => {
  parentPort?.postMessage(replyTo(task));
});

function replyTo(task: HtmlTask): ThreadReply<HtmlReply> {
  try {
    return htmlReply(task);
  } catch (bug) {
    return { bug };
  }
}
