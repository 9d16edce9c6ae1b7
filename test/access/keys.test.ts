import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Actor } from "../../src/access/actor.ts";
import { readAuditLogPage } from "../../src/access/audit.ts";
import { KEY_PATTERN } from "../../src/access/credentials.ts";
import { revokeKey, rotateKey } from "../../src/access/keys/key-changes.ts";
import { listKeys } from "../../src/access/keys/key-lists.ts";
import {
  authenticate,
  type IssuedKey,
  issueKey,
  type NewKeyInput,
} from "../../src/access/keys/keys.ts";
import {
  keyActor,
  NOW,
  OPERATOR,
  openRecordStore,
  type RecordStore,
} from "../support/record-store.ts";
import { refusedFor } from "../support/refusals.ts";

const ADDRESS = "203.0.113.9";
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function issue(store: RecordStore, more: Partial<NewKeyInput> = {}): Promise<IssuedKey> {
  const input: NewKeyInput = { name: "Researcher", scopes: ["mcp:read"], ...more };
  return await issueKey(store.record.keys, OPERATOR, input, NOW);
}

async function present(
  store: RecordStore,
  key: string,
  { now = NOW, address = ADDRESS } = {},
): Promise<Actor> {
  return await authenticate(store.record.keys, `Bearer ${key}`, { now, address });
}

describe("an issued key", () => {
  it("grants its scopes, and is stored as a hash only", async () => {
    await using store = await openRecordStore();
    const { key, record } = await issue(store, { ratePerMinute: 5, scopes: ["mcp:read"] });
    assert.match(key, new RegExp(`^${KEY_PATTERN.source}$`));
    assert.deepEqual(await present(store, key), {
      kind: "key",
      keyId: record.id,
      name: "Researcher",
      scopes: ["mcp:read"],
      ratePerMinute: 5,
      expiresAt: null,
      networks: [],
      tools: [],
    });
    const dump = [await store.sql("SELECT * FROM keys"), await store.sql("SELECT * FROM audit")];
    assert(!JSON.stringify(dump).includes(key.slice(4, 20)));
    const listed = await listKeys(store.record.keys, OPERATOR, { limit: 10 }, NOW);
    assert(!JSON.stringify(listed).includes(key.slice(4, 20)));
    const [entry] = await readAuditLogPage(store.record.audit, OPERATOR, { limit: 1 });
    assert.deepEqual([entry?.action, entry?.target], ["key.issue", record.id]);
  });

  it("is distinguished from malformed text, with a message for each fault", async () => {
    await using store = await openRecordStore();
    const { key } = await issue(store);
    const keys = store.record.keys;
    const at = { now: NOW, address: ADDRESS };
    for (const none of [undefined, "", "  "]) {
      await assert.rejects(authenticate(keys, none, at), {
        code: "unauthenticated",
        message: "No key was sent: send Authorization: Bearer <API_KEY>",
        problems: [],
      });
    }
    const flipped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    const refused: Record<string, string> = {
      [key]: "the Authorization header must start with Bearer",
      [`Basic ${key}`]: "the Authorization header must start with Bearer",
      Bearer: "exactly one key must follow the word Bearer",
      [`Bearer ${key} ${key}`]: "exactly one key must follow the word Bearer",
      [`Bearer ${flipped}`]: "this key is not known",
      [`Bearer ${key}0`]: "this key is not known",
      "Bearer cpl_x": "this key is not known",
    };
    for (const [authorization, fault] of Object.entries(refused)) {
      await assert.rejects(
        authenticate(keys, authorization, at),
        refusedFor([{ where: "Authorization", message: fault }], {
          code: "unauthenticated",
          message: `The key was refused: ${fault}`,
        }),
      );
    }
    assert.equal((await authenticate(keys, `bearer  ${key} `, at)).kind, "key");
  });

  it("stops working when it expires", async () => {
    await using store = await openRecordStore();
    const { key } = await issue(store, { expiresAt: inSeconds(60) });
    assert.equal((await present(store, key, { now: inSeconds(59) })).kind, "key");
    await assert.rejects(
      present(store, key, { now: inSeconds(60) }),
      /this key expired at 2026-11-21T12:01:00\.000Z/,
    );
  });

  it("stops working once revoked, also by another process", async () => {
    await using store = await openRecordStore();
    const { key, record } = await issue(store);
    await present(store, key);
    const revoked = await revokeKey(store.record.keys, OPERATOR, record.id, {
      now: NOW,
      why: "lost",
    });
    assert.deepEqual([revoked.revokedAt, revoked.revokedWhy], [NOW.toISOString(), "lost"]);
    await assert.rejects(present(store, key), /this key was revoked/);
    const other = await issue(store);
    await present(store, other.key);
    await store.sql(`UPDATE keys SET revoked_at = 'x' WHERE id = '${other.record.id}'`);
    await nextTurn();
    await assert.rejects(present(store, other.key), /this key was revoked/);
    const options = { now: inSeconds(9), why: "again" };
    const again = await revokeKey(store.record.keys, OPERATOR, record.id, options);
    assert.equal(again.revokedWhy, "lost", "the first reason stands");
    await assert.rejects(revokeKey(store.record.keys, OPERATOR, "nope", options), {
      code: "not_found",
    });
  });

  it("is rotated, and keeps working for the grace period", async () => {
    await using store = await openRecordStore();
    const old = await issue(store, { networks: ["203.0.113.0/24"], ratePerMinute: 7 });
    const options = { now: NOW, graceSeconds: 3600 };
    const next = await rotateKey(store.record.keys, OPERATOR, old.record.id, options);
    assert.notEqual(next.key, old.key);
    assert.equal(next.record.rotatedFrom, old.record.id);
    assert.deepEqual(
      [next.record.ratePerMinute, next.record.networks, next.record.expiresAt],
      [7, ["203.0.113.0/24"], null],
    );
    const before = inSeconds(3599);
    assert.equal((await present(store, old.key, { now: before })).kind, "key");
    assert.equal((await present(store, next.key, { now: before })).kind, "key");
    await assert.rejects(present(store, old.key, { now: inSeconds(3600) }), /expired/);
    assert.equal((await present(store, next.key, { now: inSeconds(3600) })).kind, "key");
    await assert.rejects(
      rotateKey(store.record.keys, OPERATOR, old.record.id, { ...options, now: inSeconds(3600) }),
      { code: "conflict", message: /Cannot rotate "Researcher": this key expired/ },
    );
  });

  it("does not outlive its own expiry by being rotated", async () => {
    await using store = await openRecordStore();
    const old = await issue(store, { expiresAt: inSeconds(10) });
    const options = { now: NOW, graceSeconds: 3600 };
    await rotateKey(store.record.keys, OPERATOR, old.record.id, options);
    await assert.rejects(present(store, old.key, { now: inSeconds(10) }), /expired/);
  });

  it("may be bound to networks", async () => {
    await using store = await openRecordStore();
    const { key } = await issue(store, {
      networks: ["203.0.113.0/24", "2001:db8::/32", "192.0.2.7"],
    });
    const inside = ["203.0.113.255", "::ffff:203.0.113.1", "2001:db8::1", "192.0.2.7"];
    for (const address of inside) {
      assert.equal((await present(store, key, { address })).kind, "key", address);
    }
    for (const address of ["203.0.114.1", "2001:db9::1", "192.0.2.8", "", "unknown"]) {
      await assert.rejects(present(store, key, { address }), /from your network address/, address);
    }
  });

  it("cannot be issued with invalid input", async () => {
    await using store = await openRecordStore();
    const wrong: NewKeyInput = {
      name: " ",
      scopes: [],
      ratePerMinute: 0,
      networks: ["10.0.0.0/8", "10.0.0.0/33", "example.org", "::/129", "1.2.3.4/"],
      expiresAt: NOW,
    };
    await assert.rejects(issueKey(store.record.keys, OPERATOR, wrong, NOW), (error: Error) => {
      const told = [
        /name: is empty/,
        /scopes: a key without a scope opens nothing/,
        /ratePerMinute: give a whole number from 1 to 100000/,
        /networks\[1\]: "10\.0\.0\.0\/33" is not a network/,
        /networks\[2\]/,
        /networks\[3\]/,
        /networks\[4\]/,
        /expiresAt: lies in the past/,
      ];
      for (const expected of told) assert.match(error.message, expected);
      assert.doesNotMatch(error.message, /networks\[0\]/);
      return true;
    });
  });

  it("is managed with the right scope only", async () => {
    await using store = await openRecordStore();
    const { keys } = store.record;
    const input: NewKeyInput = { name: "x", scopes: ["mcp:read"] };
    const reader = keyActor("mcp:read", "content:publish");
    const forbidden = { code: "forbidden", message: "This key lacks the scope keys:manage" };
    await assert.rejects(issueKey(keys, reader, input, NOW), forbidden);
    await assert.rejects(listKeys(keys, reader, { limit: 1 }, NOW), forbidden);
    await assert.rejects(revokeKey(keys, reader, "x", { now: NOW, why: "" }), forbidden);
    await assert.rejects(rotateKey(keys, reader, "x", { now: NOW, graceSeconds: 0 }), forbidden);
    await assert.rejects(readAuditLogPage(store.record.audit, reader, { limit: 1 }), {
      code: "forbidden",
    });
    assert.equal(
      (await issueKey(keys, keyActor("keys:manage"), input, NOW)).record.createdBy,
      "key:k1",
    );
  });

  it("shows when it was last used, without a write for each request", async () => {
    await using store = await openRecordStore();
    const { key, record } = await issue(store);
    const lastUsed = async () => (await store.record.keys.byId(record.id))?.lastUsedAt;
    for (const second of [0, 1, 2]) await present(store, key, { now: inSeconds(second) });
    assert.equal(await lastUsed(), null);
    await store.record.keys.saveUse();
    assert.equal(await lastUsed(), inSeconds(2).toISOString());
    await present(store, key, { now: inSeconds(61) });
    await store.record.keys.saveUse();
    assert.equal(await lastUsed(), inSeconds(2).toISOString(), "once a minute is enough");
    await present(store, key, { now: inSeconds(62) });
    await store.record.keys.saveUse();
    assert.equal(await lastUsed(), inSeconds(62).toISOString());
  });
});
