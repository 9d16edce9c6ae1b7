import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createLog } from "../../../src/log.ts";
import { openDeskIndex } from "../../../src/storage/desk/desk-search.ts";
import { withLockFile } from "../../../src/storage/replica/copy-file.ts";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";
import { PATIENT } from "../../support/open-fixture.ts";

const ANY = { "If-Match": "*" };

describe("the desk's search", () => {
  it("finds items and drafts in every status by words of their texts, as the public search does", async () => {
    await using api = await openApiClient();
    const titles = async (query: string) => {
      const { status, body, text } = await api.request("GET", `/content?${query}`);
      assert.equal(status, 200, text);
      return body.items.map(({ title }: { title: string }) => title);
    };
    const topic = { type: "topic", title: "Patience", body: "Waiting is an indivisible point." };
    const { body: item } = await api.request("POST", "/content", { body: topic });
    const found = await api.request("GET", "/content?text=indivisible+points&type=topic");
    assert.equal(found.body.items[0].id, item.id);
    assert.match(found.body.items[0].snippet, /indivisible point/);
    assert.equal(found.body.counts.draft, 1);
    assert.equal(found.body.isCurrent, true);
    assert.deepEqual(await titles("text=indivisble&type=topic"), ["Patience"], "misspelled");
    assert.deepEqual(await titles("text=indivisible&status=published&type=topic"), []);

    const draft = { itemId: item.id, changes: { body: "Nothing but a xylophone." } };
    const started = await api.request("POST", "/drafts", { body: draft });
    assert.equal(started.status, 201, started.text);
    assert.deepEqual(await titles("text=xylophone"), ["Patience"], "by its draft");
    const changes = { version: 1, changes: { body: "Nothing but a glockenspiel." } };
    const again = { body: changes, headers: ANY };
    await api.request("PATCH", `/drafts/${started.body.id}`, again);
    assert.deepEqual(await titles("text=xylophone"), []);
    assert.deepEqual(await titles("text=glockenspiel"), ["Patience"], "by what was saved last");
    assert.deepEqual(await titles("text=indivisible&type=topic"), ["Patience"], "and by itself");
    const drafts = await api.request("GET", "/drafts?text=glockenspiel");
    assert.deepEqual(
      drafts.body.items.map(({ id }: { id: string }) => id),
      [started.body.id],
    );
    const fresh = { type: "topic", changes: { title: "Zithers", fields: {} } };
    const { body: second } = await api.request("POST", "/drafts", { body: fresh });
    assert.deepEqual(await titles("text=zithers"), [], "it is no item yet");
    const new_ = await api.request("GET", "/drafts?text=zither");
    assert.deepEqual(
      new_.body.items.map(({ id }: { id: string }) => id),
      [second.id],
    );
    await api.request("DELETE", `/drafts/${started.body.id}`, { headers: ANY });
    assert.deepEqual(await titles("text=glockenspiel"), []);
    await api.request("DELETE", `/content/${item.id}`, { headers: ANY });
    assert.deepEqual(await titles("text=indivisible&type=topic"), []);
    assert.deepEqual(await titles("text=indivisible&type=topic&status=deleted"), ["Patience"]);
    assert.deepEqual(await titles("text=/topics/patience&status=deleted&limit=1"), ["Patience"]);
  });

  it("filters and orders by the fields of a type, and says what is wrong", async () => {
    await using api = await openApiClient();
    for (const year of [1854, 1580, 1950]) {
      const work = { type: "work", title: `Of ${year}`, fields: { year } };
      assert.equal((await api.request("POST", "/content", { body: work })).status, 201);
    }
    const page = await api.request("GET", "/content?type=work&sort=year&filter=year:1500..1900");
    assert.equal(page.status, 200, page.text);
    assert.deepEqual(
      page.body.items.map(({ title }: { title: string }) => title),
      ["Of 1580", "Of 1854"],
    );
    const faults: [string, RegExp][] = [
      ["type=work&filter=colour:red", /filter: there is no .*colour.*; use .*year/],
      ["type=work&filter=year:soon", /give a whole number/],
      ["type=work&filter=year", /field:value/],
      ["type=work&filter=year:1500..&filter=year:..1900", /names a field twice/],
      ["type=event&filter=starts:2026-05..2026-04", /2026-05, is after the end, 2026-04/],
      ["type=topic&sort=year", /sort: there is no .*year.*; use title/],
      ["text=a&sort=title", /leave sort out/],
      ["text=a&path=/about", /path: goes with no text/],
      ["text=a&relatedTo=/about", /relation: say which/],
    ];
    for (const [query, message] of faults) {
      const { status, text } = await api.request("GET", `/content?${query}`);
      assert.equal(status, 400, query);
      assert.match(text, message);
    }
  });

  it("completes names, also misspelled ones, and follows changes of them", async () => {
    await using api = await openApiClient();
    const names = async (query: string) => {
      const { status, body, text } = await api.request("GET", `/content/names?${query}`);
      assert.equal(status, 200, text);
      return body.items.map(({ title }: { title: string }) => title);
    };
    const author = { type: "author", title: "Xanthippe of Athens", fields: {} };
    const { body: made } = await api.request("POST", "/content", { body: author });
    assert.deepEqual(await names("q=xant&type=author"), ["Xanthippe of Athens"]);
    assert.deepEqual(await names("q=Xantipe&type=author"), ["Xanthippe of Athens"]);
    assert.deepEqual(await names("q=athen&type=author"), ["Xanthippe of Athens"], "a later word");
    assert.deepEqual(await names("q=xant&type=topic"), []);
    const renamed = { body: { title: "Diotima" }, headers: ANY };
    await api.request("PATCH", `/content/${made.id}`, renamed);
    assert.deepEqual(await names("q=dioti"), ["Diotima"]);
    assert.deepEqual(await names("q=xanthippe&status=published"), []);
    assert.equal((await api.request("GET", "/content/names?type=nothing")).status, 400);
  });

  it("builds its index again when the file is gone or of another record", async () => {
    await using api = await openApiClient({ engine: "SQLite" });
    const total = async () => (await api.request("GET", "/content?text=the")).body.total;
    const before = await total();
    assert(before > 0);
    await api.app.deskIndex[Symbol.asyncDispose]();
    for (const end of ["", "-wal", "-shm"]) {
      rmSync(join(api.app.dataDir, `desk.db${end}`), { force: true });
    }
    await using again = openIndex(api);
    const question = { types: [], statuses: ["published"] as const, filters: [], offset: 0 };
    const page = await again.search({ ...question, text: "the", limit: 1 });
    assert(page.total > 0);
  });

  it("removes the files of a build that was ended, when it is opened and when it is closed", async () => {
    await using api = await openApiClient({ engine: "SQLite" });
    await api.app.deskIndex[Symbol.asyncDispose]();
    const { dataDir } = api.app;
    const leave = (...ends: string[]) => {
      for (const end of ends) writeFileSync(join(dataDir, `desk.db.new${end}`), "unfinished");
    };
    const left = () => readdirSync(dataDir).filter((name) => name.startsWith("desk.db.new"));
    leave("", "-wal", "-shm", "-journal");
    const { signal } = new AbortController();
    const building = { isNeeded: () => true, signal };
    await withLockFile(join(dataDir, "desk.db"), building, async () => {
      await using _beside = openIndex(api);
      assert.equal(left().length, 4, "another process is building");
    });
    assert.equal(left().length, 4);
    const opened = openIndex(api);
    assert.deepEqual(left(), [], "opened");
    leave("-journal");
    await opened[Symbol.asyncDispose]();
    assert.deepEqual(left(), [], "closed");
  });
});

function openIndex({ app: { record, dataDir } }: ApiClient) {
  return openDeskIndex({
    url: null,
    recordFile: join(dataDir, "commonplace.db"),
    file: join(dataDir, "desk.db"),
    origin: record.origin,
    log: createLog("silent"),
    types: () => record.content.types(),
    lastChange: () => record.desk.lastChange(),
    timeouts: PATIENT,
  });
}
