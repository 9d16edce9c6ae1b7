import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

it("those who have a draft open see each other until they leave or are not heard of", async () => {
  const { id } = (await api.request("POST", "/drafts", { body: { type: "topic" } })).body;
  const anna = (await api.issueWith({ name: "Anna", scopes: ["content:write"] })).key;
  const ben = (await api.issueWith({ name: "Ben", scopes: ["content:write"] })).key;
  const seen = async (key: string) => {
    const { status, body, text } = await api.request("PUT", `/drafts/${id}/presence`, { key });
    assert.equal(status, 200, text);
    return body.others.map(({ name }: { name: string }) => name);
  };
  const later = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  assert.deepEqual(await seen(anna), []);
  assert.deepEqual(await seen(ben), ["Anna"]);
  assert.deepEqual(await seen(anna), ["Ben"]);
  later(44);
  assert.deepEqual(await seen(anna), ["Ben"]);
  later(1);
  assert.deepEqual(await seen(anna), [], "three pings were missed");
  await seen(ben);
  const left = await api.request("DELETE", `/drafts/${id}/presence`, { key: ben });
  assert.equal(left.status, 204);
  assert.deepEqual(await seen(anna), []);
  const other = (await api.request("POST", "/drafts", { body: { type: "topic" } })).body.id;
  const elsewhere = await api.request("PUT", `/drafts/${other}/presence`, { key: ben });
  assert.deepEqual(elsewhere.body.others, [], "another draft");
  const reader = await api.issue("content:read");
  const refused = await api.request("PUT", `/drafts/${id}/presence`, { key: reader });
  assert.equal(refused.status, 403);
  const unknown = "/drafts/01930000-0000-7000-8000-000000000000/presence";
  assert.equal((await api.request("PUT", unknown)).status, 404);
});
