import assert from "node:assert/strict";
import { it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";

const ANY = { "If-Match": "*" };

it("a review of a draft is asked for, withdrawn, sent back, and ends with the schedule and the draft", async () => {
  await using api = await openApiClient();
  const asker = await api.issue("content:read", "content:write");
  const other = await api.issue("content:read", "content:write");
  const body = { type: "topic", changes: { title: "Candour" } };
  const { body: draft } = await api.request("POST", "/drafts", { body, key: asker });
  const at = `/drafts/${draft.id}`;
  const ask = (note: string) => api.request("POST", `${at}/review`, { body: { note }, key: asker });
  const listed = async () =>
    (await api.request("GET", "/drafts?inReview=true")).body.items.map(
      ({ review }: { review: unknown }) => review,
    );
  assert.deepEqual(await listed(), []);

  const asked = await ask(" Is the date right?\n");
  assert.deepEqual(asked.body.review, {
    askedBy: asked.body.editors[0],
    askedAt: api.clock.now.toISOString(),
    note: "Is the date right?",
  });
  const again = await ask("Once more");
  assert.deepEqual(again.body, asked.body, "asking again changes nothing");
  assert.equal((await api.request("GET", `/drafts?text=Candour&inReview=true`)).status, 400);

  const changes = { summary: "Openness" };
  const saved = await api.request("PATCH", at, {
    body: { version: asked.body.version, changes },
    key: asker,
  });
  assert.deepEqual(saved.body.review, asked.body.review, "a save keeps it");
  assert.deepEqual(await listed(), [asked.body.review]);

  const foreign = await api.request("DELETE", `${at}/review`, { key: other });
  assert.equal(foreign.status, 403, foreign.text);
  const note = { note: "Name the edition" };
  const refused = await api.request("POST", `${at}/send-back`, { body: note, key: asker });
  assert.equal(refused.status, 403);
  const withdrawn = await api.request("DELETE", `${at}/review`, { key: asker });
  assert.equal(withdrawn.body.review, null);
  assert.equal((await api.request("DELETE", `${at}/review`, { key: other })).status, 200);

  await ask("");
  for (const wrong of [{}, { note: " " }, { note: "x".repeat(1001) }]) {
    assert.equal((await api.request("POST", `${at}/send-back`, { body: wrong })).status, 400);
  }
  const back = await api.request("POST", `${at}/send-back`, { body: note });
  assert.equal(back.body.review, null);
  const { body: notes } = await api.request("GET", `${at}/notes`);
  assert.deepEqual(
    notes.items.map(({ text }: { text: string }) => text),
    [note.note],
  );
  assert.equal((await api.request("POST", `${at}/send-back`, { body: note })).status, 409);

  await ask("");
  const publishAt = new Date(api.clock.now.getTime() + 60_000).toISOString();
  const scheduled = await api.request("POST", `${at}/schedule`, {
    body: { publishAt },
    headers: ANY,
  });
  assert.equal(scheduled.body.review, null, "scheduling answers it");
  assert.equal((await ask("")).status, 409, "and nothing waits then");
  await api.request("POST", `${at}/schedule`, { body: { publishAt: null }, headers: ANY });

  await ask("");
  await api.request("POST", `${at}/publish`, { headers: ANY });
  assert.deepEqual(await listed(), []);
  assert.equal((await ask("")).status, 404);
  const { body: audit } = await api.request("GET", `/audit?target=${draft.id}&limit=50`);
  assert.deepEqual(audit.items.map(({ action }: { action: string }) => action).reverse(), [
    "draft.ask-review",
    "draft.withdraw-review",
    "draft.ask-review",
    "draft.note",
    "draft.send-back",
    "draft.ask-review",
    "draft.schedule",
    "draft.unschedule",
    "draft.ask-review",
  ]);
});
