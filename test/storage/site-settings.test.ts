import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import type { RecordStores } from "../../src/storage/record/stores.ts";
import { NOW, OPERATOR, openPlace, openRecordStore, SITE, topic } from "../support/record-store.ts";

/** An item without a language has the site's. */
function saving(title: string) {
  return async ({ content }: RecordStores) =>
    (await saveItem(content, OPERATOR, topic(title), NOW)).item.language;
}

function speaking(language: string) {
  return async ({ content }: Pick<RecordStores, "content">) => {
    await saveSite(content, OPERATOR, { ...SITE, language }, [], NOW);
  };
}

describe("the settings of the site, for whoever writes", () => {
  it("are those that another process has kept since", async () => {
    await using store = await openRecordStore();
    assert.equal(await store.record.atomically(saving("Time")), "en");
    {
      await using other = await openPlace(store.place);
      await other.atomically(speaking("de"));
    }
    assert.equal(await store.record.atomically(saving("Space")), "de");
    await store.record.atomically(speaking("fr"));
    assert.equal(await store.record.atomically(saving("Place")), "fr");
  });

  it("are never those of a change that was undone", async () => {
    await using store = await openRecordStore();
    const failing = async (stores: RecordStores) => {
      await speaking("de")(stores);
      assert.equal(await saving("Space")(stores), "de");
      throw new Error("Not after all");
    };
    assert.equal(await store.record.atomically(saving("Time")), "en");
    await assert.rejects(store.record.atomically(failing), /Not after all/);
    assert.equal(await store.record.atomically(saving("Again")), "en");
    // A preview shows changes of items only.
    await assert.rejects(store.record.preview(speaking("de"), async () => null));
    assert.equal(await store.record.atomically(saving("Once more")), "en");
  });
});
