import { againOnPostgres } from "../../support/postgres-store.ts";

await againOnPostgres("the administrative interface", async () => {
  await import("./access-matrix.test.ts");
  await import("./admins.test.ts");
  await import("./audit.test.ts");
  await import("./bulk.test.ts");
  await import("./content-hostile.test.ts");
  await import("./content-shown.test.ts");
  await import("./content.test.ts");
  await import("./door.test.ts");
  await import("./hostile.test.ts");
  await import("./idempotency.test.ts");
  await import("./jobs.test.ts");
  await import("./key-requests.test.ts");
  await import("./keys.test.ts");
  await import("./media.test.ts");
  await import("./preconditions.test.ts");
  await import("./preview.test.ts");
  await import("./redirects.test.ts");
  await import("./requests.test.ts");
  await import("./revisions.test.ts");
  await import("./secrets.test.ts");
  await import("./settings.test.ts");
  await import("./stats.test.ts");
  await import("./translations.test.ts");
  await import("./use-cases.test.ts");
  await import("./webhooks.test.ts");
});
