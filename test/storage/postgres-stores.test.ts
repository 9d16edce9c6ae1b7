import { againOnPostgres } from "../support/postgres-store.ts";

await againOnPostgres("the stores of the record", async () => {
  await import("./record.test.ts");
  await import("./site-settings.test.ts");
  await import("./changed-types.test.ts");
  await import("./engines.test.ts");
  await import("./media-record.test.ts");
  await import("./group-commit.test.ts");
  await import("../access/keys.test.ts");
  await import("../webhooks/delivery.test.ts");
  await import("../transfer/job-queue.test.ts");
  await import("../mail/sending.test.ts");
  await import("../health/reporting.test.ts");
  await import("../links/checking.test.ts");
});
