import { againOnPostgres } from "../../support/postgres-store.ts";

await againOnPostgres("people", async () => {
  await import("./attacks.test.ts");
  await import("./second-factor.test.ts");
  await import("./sessions.test.ts");
  await import("./setup.test.ts");
});
