import { againOnPostgres } from "../support/postgres-store.ts";

await againOnPostgres("trusted time", async () => {
  await import("../trusted-time.test.ts");
  await import("./wrong-clock.test.ts");
});
