import { createLog } from "../../src/log.ts";
import { createWebhookQueue } from "../../src/webhooks/sending/webhook-queue.ts";
import { QueueWorker } from "../../src/work/queue-worker.ts";
import { openPlace } from "./record-store.ts";

/** A separate process that sends the waiting deliveries of a store, to be killed meanwhile. */
const [place = "", origin = ""] = process.argv.slice(2);
const record = await openPlace(place, { origin });
const queue = createWebhookQueue({
  webhooks: record.webhooks,
  origin,
  version: "0.0.0",
  privateNetworks: true,
  isTimeTrusted: () => true,
  now: () => new Date(),
  steadyNow: () => new Date(),
});
const worker = new QueueWorker(queue, createLog("silent"));
await worker.work();
await worker.settled();
await record.close();
