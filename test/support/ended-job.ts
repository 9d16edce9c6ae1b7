import assert from "node:assert/strict";
import type { ApiAnswer, ApiClient, Loose } from "./api-client.ts";
import { found } from "./until.ts";

/** Waits until the job that a request started has ended, and returns it. */
export async function endedJob(client: ApiClient, started: ApiAnswer): Promise<Loose> {
  assert.equal(started.status, 202, started.text);
  const path = (started.headers.get("location") ?? "").replace("/api/v1", "");
  return await found(async () => {
    const { body } = await client.request("GET", path);
    return body.endedAt === null ? undefined : body;
  });
}
