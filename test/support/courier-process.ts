import { createLog } from "../../src/log.ts";
import { Courier } from "../../src/webhooks/sending/courier.ts";
import { openPlace } from "./record-store.ts";

/** A process of its own that delivers what waits in a store, to be killed while it does. */
const [place = "", origin = ""] = process.argv.slice(2);
const record = await openPlace(place, { origin });
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
