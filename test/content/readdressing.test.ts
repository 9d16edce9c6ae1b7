import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAuditLogPage } from "../../src/access/audit.ts";
import { addRedirect } from "../../src/content/addresses/redirects.ts";
import { draftChangesSchema } from "../../src/content/drafts/draft.ts";
import { startDraft } from "../../src/content/drafts/saving.ts";
import { replaceSiteAddressInContent } from "../../src/content/editing/many/readdressing.ts";
import { deleteItem } from "../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { changeSettings, readSettings } from "../../src/content/site/settings.ts";
import { keyActor, NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

const CHANGE = { from: "https://old.example", to: "https://new.example" };
const TRIAL = { isDryRun: true, now: NOW };
const DONE = { isDryRun: false, now: NOW };

describe("a change of the site's address", () => {
  it("rewrites texts and fields, in every status, with a revision and an audit entry each", async () => {
    await using store = await openRecordStore();
    const body = "See [it](https://old.example/a), http://OLD.example. and https://old.example";
    const { item } = await store.save(topic("Time", { body, status: "draft" }));
    const work = await store.save(
      itemInputSchema.parse({
        type: "work",
        title: "Essays",
        status: "published",
        fields: { kind: "book", source_url: "https://old.example/essays.pdf" },
      }),
    );
    const tried = await replaceSiteAddressInContent(store.record, OPERATOR, CHANGE, TRIAL);
    assert.deepEqual(
      tried.items.map(({ path, places }) => [path, places]),
      [
        [item.path, 3],
        [work.item.path, 1],
      ],
    );
    assert.deepEqual(await store.content.item(item.id), item, "a dry run changes nothing");

    const done = await replaceSiteAddressInContent(store.record, OPERATOR, CHANGE, DONE);
    assert.deepEqual(done, tried);
    const after = await store.content.item(item.id);
    assert.equal(
      after?.body,
      "See [it](https://new.example/a), https://new.example. and https://new.example",
    );
    assert.equal(after?.revision, 2);
    const { fields } = (await store.content.item(work.item.id)) ?? {};
    assert.equal(fields?.["source_url"], "https://new.example/essays.pdf");
    const entries = await readAuditLogPage(store.record.audit, OPERATOR, { limit: 2 });
    assert.deepEqual(
      entries.map(({ target }) => target),
      [work.item.path, item.path],
    );
    const again = await replaceSiteAddressInContent(store.record, OPERATOR, CHANGE, DONE);
    assert.deepEqual([again.items, again.settings], [[], []]);
  });

  it("leaves longer names, other ports, other sites and deleted items alone", async () => {
    await using store = await openRecordStore();
    const body =
      "https://old.example.org https://old.example-2 https://old.example:8443/ https://older.example https://my.old.example https://old.example@bad.example";
    const { item } = await store.save(topic("Others", { body }));
    const gone = await store.save(topic("Gone", { body: "https://old.example/" }));
    await deleteItem(store.content, OPERATOR, gone.item.id, { now: NOW });
    assert.deepEqual(
      (await replaceSiteAddressInContent(store.record, OPERATOR, CHANGE, DONE)).items,
      [],
    );
    assert.deepEqual(await store.content.item(item.id), item);
  });

  it("rewrites addresses without a scheme", async () => {
    await using store = await openRecordStore();
    const body = `<img src="//old.example/a.png"> [b](//old.example/b) ftp://old.example ///old.example a//old.example`;
    const { item } = await store.save(topic("Logos", { body }));
    await replaceSiteAddressInContent(store.record, OPERATOR, CHANGE, DONE);
    const after = await store.content.item(item.id);
    assert.equal(
      after?.body,
      `<img src="https://new.example/a.png"> [b](https://new.example/b) ftp://old.example ///old.example a//old.example`,
    );
  });

  it("finds nothing the second time, also when only the scheme changes", async () => {
    await using store = await openRecordStore();
    const body = "http://old.example/a https://old.example/b https://old.example.";
    const { item } = await store.save(topic("Time", { body }));
    const changes = draftChangesSchema.parse({ title: "Plans", body: "https://old.example/plans" });
    await store.record.atomically((stores) =>
      startDraft(stores, OPERATOR, { type: "topic" }, { changes, now: NOW }),
    );
    const change = { from: "http://old.example", to: "https://old.example" };
    const done = await replaceSiteAddressInContent(store.record, OPERATOR, change, DONE);
    assert.deepEqual(
      done.items.map(({ path, places }) => [path, places]),
      [[item.path, 1]],
    );
    assert.deepEqual(done.drafts, []);
    const again = await replaceSiteAddressInContent(store.record, OPERATOR, change, TRIAL);
    assert.deepEqual(again.items, []);
  });

  it("finds a name with letters beyond ASCII in both of its forms", async () => {
    await using store = await openRecordStore();
    const body = "https://bücher.example/a https://xn--bcher-kva.example/b";
    const { item } = await store.save(topic("Books", { body }));
    const change = { from: "https://xn--bcher-kva.example", to: "https://new.example" };
    await replaceSiteAddressInContent(store.record, OPERATOR, change, DONE);
    const after = await store.content.item(item.id);
    assert.equal(after?.body, "https://new.example/a https://new.example/b");
  });

  it("rewrites the settings, and reports redirects and drafts that it leaves", async () => {
    await using store = await openRecordStore();
    const organization = { logo: "https://old.example/logo.png" };
    await changeSettings(store.content, OPERATOR, { organization }, { now: NOW });
    const redirect = { from: "/old-page", to: "https://old.example/elsewhere" };
    await addRedirect(store.content, OPERATOR, redirect, {
      now: NOW,
      origin: "https://quotations.example",
      isDocument: () => false,
    });
    const changes = draftChangesSchema.parse({ title: "Plans", body: "https://old.example/plans" });
    const { draft } = await store.record.atomically((stores) =>
      startDraft(stores, OPERATOR, { type: "topic" }, { changes, now: NOW }),
    );
    const report = await replaceSiteAddressInContent(store.record, OPERATOR, CHANGE, DONE);
    assert.deepEqual(report.drafts, [{ id: draft.id, title: "Plans" }]);
    assert.deepEqual(report.settings, ["organization"]);
    assert.deepEqual(report.redirects, ["/old-page"]);
    const { profile } = await readSettings(store.content, OPERATOR);
    assert.equal(profile.organization.logo, "https://new.example/logo.png");
  });

  it("needs the scopes for content and settings, and two addresses", async () => {
    await using store = await openRecordStore();
    for (const scope of ["content:write", "settings:write"] as const) {
      await assert.rejects(
        replaceSiteAddressInContent(store.record, keyActor(scope), CHANGE, DONE),
        {
          code: "forbidden",
        },
      );
    }
    const same = { from: CHANGE.from, to: CHANGE.from };
    await assert.rejects(replaceSiteAddressInContent(store.record, OPERATOR, same, DONE), {
      code: "invalid",
    });
  });
});
