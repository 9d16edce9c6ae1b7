import assert from "node:assert/strict";
import { it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";

it("notes on a draft are kept with name and time, and end with it", async () => {
  await using api = await openApiClient();
  const body = { type: "topic", changes: { title: "Candour" } };
  const { body: draft } = await api.request("POST", "/drafts", { body });
  const at = `/drafts/${draft.id}/notes`;
  const first = await api.request("POST", at, { body: { text: " Which edition?\n" } });
  assert.equal(first.status, 201, first.text);
  assert.partialDeepStrictEqual(first.body, {
    text: "Which edition?",
    draftId: draft.id,
    createdAt: api.clock.now.toISOString(),
  });
  const second = await api.request("POST", at, { body: { text: "The second" } });
  const list = async () =>
    (await api.request("GET", at)).body.items.map(({ text }: { text: string }) => text);
  assert.deepEqual(await list(), ["Which edition?", "The second"]);
  for (const text of ["", "  ", "x".repeat(1001)]) {
    assert.equal((await api.request("POST", at, { body: { text } })).status, 400);
  }
  const reader = await api.issue("content:read");
  const refused = await api.request("POST", at, { key: reader, body: { text: "No" } });
  assert.equal(refused.status, 403);
  const path = `/draft-notes/${second.body.id}`;
  assert.equal((await api.request("DELETE", path)).status, 204);
  assert.equal((await api.request("DELETE", path)).status, 404);
  assert.deepEqual(await list(), ["Which edition?"]);
  const audit = await api.request("GET", `/audit?target=${draft.id}`);
  const actions = audit.body.items.map(({ action }: { action: string }) => action);
  assert.deepEqual(actions, ["draft.unnote", "draft.note", "draft.note"]);
  await api.request("DELETE", `/drafts/${draft.id}`, { headers: { "If-Match": "*" } });
  assert.equal((await api.request("GET", at)).status, 404);
  assert.deepEqual(await api.app.sql("SELECT id FROM draft_notes"), []);
});
