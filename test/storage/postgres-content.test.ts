import { againOnPostgres } from "../support/postgres-store.ts";

await againOnPostgres("what editors do", async () => {
  await import("../content/bulk.test.ts");
  await import("../content/editing.test.ts");
  await import("../content/editing-paths.test.ts");
  await import("../content/editing-statuses.test.ts");
  await import("../content/purging.test.ts");
  await import("../content/readdressing.test.ts");
  await import("../content/addresses-model.test.ts");
  await import("./dry-run.test.ts");
  await import("./previews.test.ts");
  await import("../http/admin/content-list.test.ts");
  await import("../http/admin/unknown-versions.test.ts");
});
