import { openRecord } from "../../src/storage/record/open.ts";
import { RECORD_ORIGIN } from "./record-store.ts";

/**
 * A separate process that follows a record until it is killed, and prints its progress: PLACE, as JSON with
 * `file` and `url`.
 */
const [place = "{}"] = process.argv.slice(2);
const onProgress = () => process.stdout.write("making\n");
await openRecord({ ...JSON.parse(place), origin: RECORD_ORIGIN, onProgress });
process.stdout.write("following\n");
setInterval(() => {}, 1000);
