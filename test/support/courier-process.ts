import { createLog } from "../../src/log.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { Courier } from "../../src/webhooks/sending/courier.ts";

/** A process of its own that delivers what waits in a store, to be killed while it does. */
const [file = "", origin = ""] = process.argv.slice(2);
const record = await openRecord({ file, origin });
const courier = new Courier({
  webhooks: record.webhooks,
  origin,
  version: "0.0.0",
  privateNetworks: true,
  now: () => new Date(),
  log: createLog("silent"),
});
await courier.work();
await courier.settled();
await record.close();
