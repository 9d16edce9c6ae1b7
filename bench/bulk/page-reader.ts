import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Worker thread: requests a page again and again until it gets a message, then answers with the milliseconds that
 * each request took. In a thread of its own, because who sends a bulk is busy with that.
 */
const { url, pauseMilliseconds }: { url: string; pauseMilliseconds: number } = workerData;
const taken: number[] = [];
let isRunning = true;
parentPort?.once("message", () => {
  isRunning = false;
});
while (isRunning) {
  const begun = performance.now();
  const response = await fetch(`${url}?now=${taken.length}`);
  await response.text();
  taken.push(performance.now() - begun);
  await sleep(pauseMilliseconds);
}
parentPort?.postMessage(taken);
