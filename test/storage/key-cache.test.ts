import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { KeyWithHash } from "../../src/access/keys/keys.ts";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import { KeyCache, type KeySource } from "../../src/storage/record/access/key-cache.ts";

const MINUTE = 60_000;

/** A store of keys that can be changed by others, be away, and hang. */
class Source implements KeySource {
  readonly keys = new Map<string, string>([["known", "first"]]);
  version = 1;
  isUnreachable = false;
  isHanging = false;
  fault: Error | null = null;
  /** What answers about keys wait for. */
  held: Promise<void> | null = null;
  readonly asked: string[] = [];

  async keysVersion(): Promise<number> {
    this.asked.push("version");
    await this.#answer();
    return this.version;
  }

  async byHashes(hashes: readonly string[]): Promise<KeyWithHash[]> {
    this.asked.push(hashes.join());
    const found = hashes.flatMap((hash) => {
      const name = this.keys.get(hash);
      return name === undefined ? [] : [keyNamed(name, hash)];
    });
    await this.#answer();
    await this.held;
    return found;
  }

  async #answer(): Promise<void> {
    await nextTurn();
    if (this.isHanging) await new Promise(() => {});
    if (this.fault !== null) throw this.fault;
    if (this.isUnreachable)
      throw new AppError("unavailable", englishOnlyWording("away"), { retryAfterSeconds: 5 });
  }
}

/** What a process knows, at a time the test sets. */
function open() {
  const source = new Source();
  const state = { now: 0, news: 0 };
  const keys = new KeyCache({ source, version: () => state.news, clock: () => state.now });
  const find = async (hash: string) => (await keys.find(hash))?.key.name ?? null;
  return { source, state, find };
}

describe("keys that are known", () => {
  it("cost a query when they are first seen, and none until there is news", async () => {
    const { source, state, find } = open();
    assert.equal(await find("known"), "first");
    assert.equal(await find("known"), "first");
    assert.deepEqual(source.asked, ["version", "known"]);
    source.keys.set("known", "second");
    source.version += 1;
    assert.equal(await find("known"), "first");
    state.news += 1;
    assert.equal(await find("known"), "second");
  });

  it("are kept over news of something else, and all requests ask for that once", async () => {
    const { source, state, find } = open();
    await find("known");
    source.asked.length = 0;
    state.news += 1;
    const found = await Promise.all(Array.from({ length: 50 }, () => find("known")));
    assert.deepEqual(new Set(found), new Set(["first"]));
    assert.deepEqual(source.asked, ["version"]);
  });

  it("are asked about again when news came while they were asked about", async () => {
    const { source, state, find } = open();
    await find("known");
    state.news += 1;
    const early = find("known");
    source.keys.set("known", "second");
    state.news += 1;
    const late = find("known");
    await nextTurn();
    source.version += 1;
    await early;
    assert.equal(await late, "second");
  });

  it("are not remembered as they were before a change that was noticed while they were on their way", async () => {
    const { source, state, find } = open();
    source.keys.set("other", "before");
    await find("known");
    const { promise, resolve } = Promise.withResolvers<void>();
    source.held = promise;
    const onItsWay = find("other");
    source.keys.set("other", "after");
    source.version += 1;
    state.now += 4000;
    await Promise.race([find("known"), turns()]);
    await turns();
    resolve();
    assert.equal(await onItsWay, "before");
    state.news += 1;
    assert.equal(await find("other"), "after");
  });

  it("are confirmed every few seconds without anybody waiting for it", async () => {
    const { source, state, find } = open();
    await find("known");
    source.keys.set("known", "second");
    source.version += 1;
    state.now += 4000;
    assert.equal(await find("known"), "first");
    await turns();
    assert.equal(await find("known"), "second");
  });

  it("go on for five minutes while the store is away, whatever news there is", async () => {
    const { source, state, find } = open();
    await find("known");
    source.isUnreachable = true;
    for (const now of [10_000, MINUTE, 5 * MINUTE]) {
      state.now = now;
      state.news += 1;
      assert.equal(await find("known"), "first");
      await assert.rejects(find("stranger"), {
        code: "unavailable",
        retryAfterSeconds: 5,
        message: /^Keys cannot be checked for the moment, as the database is away; try again in 5/,
      });
    }
    state.now = 5 * MINUTE + 1;
    await assert.rejects(find("known"), { code: "unavailable", retryAfterSeconds: 5 });
    source.isUnreachable = false;
    state.now += 1001;
    assert.equal(await find("known"), "first");
    assert.equal(await find("stranger"), null);
    source.isUnreachable = true;
    state.news += 1;
    await find("known");
    source.isUnreachable = false;
    source.keys.set("known", "second");
    source.version += 1;
    state.news += 1;
    state.now += 1001;
    await find("known");
    await turns();
    assert.equal(await find("known"), "second", "as soon as it is back");
  });

  it("go on also when some key changed before the store went away and they were not seen since", async () => {
    const { source, state, find } = open();
    source.keys.set("other", "one of others");
    await find("known");
    await find("other");
    state.now = MINUTE;
    source.version += 1;
    state.news += 1;
    await find("other");
    source.isUnreachable = true;
    assert.equal(await find("known"), "first");
    assert.equal(await find("known"), "first");
    state.now = 5 * MINUTE + 1;
    await assert.rejects(find("known"), { code: "unavailable" });
    assert.equal(await find("other"), "one of others", "it was confirmed a minute later");
    source.isUnreachable = false;
    source.keys.set("known", "second");
    state.now += 1001;
    await find("other");
    await turns();
    assert.equal(await find("known"), "second");
  });

  it("go on at once while the store is away, as it is asked no more than once a second", async () => {
    const { source, state, find } = open();
    await find("known");
    source.isUnreachable = true;
    source.asked.length = 0;
    for (let request = 0; request < 100; request += 1) {
      state.news += 1;
      state.now += 20;
      await find("known");
      await nextTurn();
    }
    assert.equal(source.asked.length, 2);
  });

  it("wait no longer than a second for a store that hangs, and only once", async () => {
    const { source, state, find } = open();
    await find("known");
    source.isHanging = true;
    state.news += 1;
    const started = performance.now();
    assert.deepEqual(await Promise.all([find("known"), find("known")]), ["first", "first"]);
    for (let request = 0; request < 5; request += 1) {
      state.news += 1;
      state.now += 2000;
      assert.equal(await find("known"), "first");
    }
    assert(performance.now() - started < 5000, "a second, and not one for each");
    await assert.rejects(find("stranger"), { code: "unavailable" });
  });

  it("hide no bug of the store", async () => {
    const { source, state, find } = open();
    await find("known");
    source.fault = new Error("no such table");
    state.news += 1;
    await assert.rejects(find("known"), /no such table/);
    source.fault = null;
    assert.equal(await find("known"), "first");
  });
});

describe("keys of strangers", () => {
  it("are asked about together, however many come at once", async () => {
    const { source, find } = open();
    await find("known");
    source.asked.length = 0;
    const strangers = Array.from({ length: 500 }, (_, at) => `stranger ${at % 400}`);
    const found = await Promise.all(strangers.map(find));
    assert.deepEqual(new Set(found), new Set([null]));
    assert.equal(source.asked.length, 3, "the first alone, then 200, then the rest");
  });

  it("are remembered as such until a key changes", async () => {
    const { source, state, find } = open();
    assert.equal(await find("stranger"), null);
    source.asked.length = 0;
    assert.equal(await find("stranger"), null);
    assert.deepEqual(source.asked, []);
    source.keys.set("stranger", "friend");
    source.version += 1;
    state.news += 1;
    assert.equal(await find("stranger"), "friend");
  });

  it("push none of those that are known out of memory", async () => {
    const { source, find } = open();
    await find("known");
    const strangers = Array.from({ length: 12_000 }, (_, at) => `stranger ${at}`);
    await Promise.all(strangers.map(find));
    source.asked.length = 0;
    assert.equal(await find("known"), "first");
    assert.deepEqual(source.asked, []);
    assert.equal(await find("stranger 0"), null);
    assert.deepEqual(source.asked, ["stranger 0"], "the first of many is forgotten");
  });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

function keyNamed(name: string, hash: string): KeyWithHash {
  return {
    hash,
    key: {
      id: hash,
      name,
      owner: "",
      contact: "",
      purpose: "",
      scopes: ["mcp:read"],
      ratePerMinute: 60,
      networks: [],
      expiresAt: null,
      createdAt: "2026-11-21T12:00:00.000Z",
      createdBy: "operator",
      lastUsedAt: null,
      revokedAt: null,
      revokedWhy: null,
      rotatedFrom: null,
      tools: [],
      remindedAt: null,
    },
  };
}
