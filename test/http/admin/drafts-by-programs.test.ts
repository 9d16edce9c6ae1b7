import assert from "node:assert/strict";
import { after, it } from "node:test";
import type { DraftChanges } from "../../../src/content/drafts/draft.ts";
import { startDraft } from "../../../src/content/drafts/saving.ts";
import { openPeopleSite } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const anna = await site.person("anna@example.org");

/** Starts a draft as a program does. @returns its address among the screens. */
async function begun(type: string, changes: DraftChanges): Promise<string> {
  const { now } = site.clock;
  const { draft } = await site.app.apiParts.atomically((stores) =>
    startDraft(stores, OPERATOR, { type }, { changes, now }),
  );
  return `/admin/drafts/${draft.id}`;
}

it("a translation whose original a program names by its address is edited beside it", async () => {
  const draft = await begun("topic", {
    title: "Zeit",
    language: "de",
    translationOf: "/topics/time",
  });
  const opened = await anna.get(draft);
  assert.equal(opened.status, 200, opened.fault);
  assert.match(opened.text, /<summary>English: Time<\/summary>/);
  const step = await anna.get(`${draft}/publish`);
  assert.match(step.text, /<h3>Translation of<\/h3>\s*<div class="difference"><ins>Time<\/ins>/);
});

it("a translation of nothing can be opened, to be mended or discarded", async () => {
  const draft = await begun("topic", { title: "Raum", translationOf: "no such source key" });
  const opened = await anna.get(draft);
  assert.equal(opened.status, 200, opened.fault);
  assert.match(opened.text, new RegExp(`action="${draft}/discard"`));
});
