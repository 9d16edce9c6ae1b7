import { parentPort } from "node:worker_threads";
import type {
  RenderingResult,
  RenderingTask,
} from "../../src/storage/reading/rendering/rendering-thread.ts";

/** Replaces the rendering thread: it crashes, hangs, fills its memory or returns the text. */
parentPort?.on("message", ({ body }: RenderingTask) => {
  if (body === "crash") throw new Error("Crashed as asked");
  while (body === "hang");
  const filled: number[][] = [];
  while (body === "fill") filled.push(new Array<number>(100_000).fill(0));
  const reply: RenderingResult = {
    rendered: { html: body, markdown: body, text: body },
    missing: [],
  };
  parentPort?.postMessage(reply);
});
