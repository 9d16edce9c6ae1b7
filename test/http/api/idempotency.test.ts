import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type ApiRequest, openApiClient } from "../../support/api-client.ts";
import { SAMPLE_ROUTES } from "../../support/api-routes.ts";

const api = await openApiClient({ routes: SAMPLE_ROUTES });
after(() => api[Symbol.asyncDispose]());
const { record } = api.app;

const post = (name: string, idempotencyKey: string, options: ApiRequest = {}) =>
  api.request("POST", "/secrets", {
    body: { name },
    headers: { "Idempotency-Key": idempotencyKey },
    ...options,
  });

const issued = async (name: string) =>
  (await record.keys.page({ after: null, limit: 100 })).filter((key) => key.name === name).length;

describe("a repeated POST", () => {
  it("has one effect and the same answer, a secret included", async () => {
    const first = await post("Once", "one");
    assert.equal(first.status, 201);
    assert.equal(first.headers.get("idempotency-replayed"), null);
    const again = await post("Once", "one");
    assert.equal(again.text, first.text);
    assert.equal(again.status, 201);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    for (const name of ["etag", "location", "content-type", "content-length"]) {
      assert.equal(again.headers.get(name), first.headers.get(name), name);
    }
    assert.equal(await issued("Once"), 1);
  });

  it("has one effect also for many concurrent repeats", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => post("Crowd", "crowd")));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const replayed = replies.filter(({ headers }) => headers.has("idempotency-replayed"));
    assert.equal(replayed.length, 9);
    assert.equal(await issued("Crowd"), 1);
  });

  it("is another request with another body, and says so", async () => {
    await post("This", "same");
    const { status, body } = await post("That", "same");
    assert.equal(status, 422);
    assert.equal(
      body.detail,
      "This Idempotency-Key was used for another request; take a new one for a new request",
    );
    assert.equal(await issued("That"), 0);
  });

  it("is another request from another key", async () => {
    const key = await api.issue("keys:manage");
    const [one, other] = [await post("Two", "two"), await post("Two", "two", { key })];
    assert.notEqual(one.body.key, other.body.key);
    assert.equal(await issued("Two"), 2);
  });

  it("is tried again when it failed without effect", async () => {
    const options = { body: { name: "Later", fails: true } };
    assert.equal((await post("Later", "later", options)).status, 409);
    assert.equal(await issued("Later"), 0);
    assert.equal((await post("Later", "later")).status, 201);
    assert.equal(await issued("Later"), 1);
  });

  it("is a new request after a day", async () => {
    const first = await post("Day", "day");
    api.clock.now = new Date(api.clock.now.getTime() + 23 * 3_600_000);
    await record.idempotentResponses.deleteBefore(
      new Date(api.clock.now.getTime() - 24 * 3_600_000),
    );
    assert.equal((await post("Day", "day")).text, first.text);
    api.clock.now = new Date(api.clock.now.getTime() + 2 * 3_600_000);
    await record.idempotentResponses.deleteBefore(
      new Date(api.clock.now.getTime() - 24 * 3_600_000),
    );
    assert.notEqual((await post("Day", "day")).text, first.text);
  });
});

it("keeps nothing of an answer that can be read without the caller's key", async () => {
  const { body } = await post("Sealed", "a key easily guessed");
  const rows = JSON.stringify(await api.app.sql("SELECT * FROM kept_answers"));
  assert(rows.length > 100);
  const places = [rows, ...[...rows.matchAll(/[\w-]{40,}/g)].map(decoded)];
  for (const secret of [body.key, body.id, "Sealed", "a key easily guessed", "keys", "secrets"]) {
    assert(!places.some((place) => place.includes(secret)), secret);
  }
});

function decoded([text]: RegExpMatchArray): string {
  return Buffer.from(text, "base64url").toString("latin1");
}
