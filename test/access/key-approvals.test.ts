import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { revokeKey, rotateKey } from "../../src/access/keys/key-changes.ts";
import { approveKeyRequest } from "../../src/access/submissions/key-approvals.ts";
import { claimKey } from "../../src/access/submissions/key-claims.ts";
import { declineKeyRequest } from "../../src/access/submissions/key-decisions.ts";
import type { KeyTerms } from "../../src/access/submissions/key-requests.ts";
import { openContactSite, REQUEST } from "../support/contact.ts";
import { ORIGIN } from "../support/open-fixture.ts";
import { OPERATOR } from "../support/record-store.ts";

const DAY_SECONDS = 86_400;

const site = await openContactSite();
after(() => site[Symbol.asyncDispose]());
const { record } = site.app;

describe("a key that expires before its claim code would", () => {
  it("cannot be claimed once it is of no use", async () => {
    const id = await request();
    const expiresAt = new Date(site.clock.now.getTime() + 2 * DAY_SECONDS * 1000).toISOString();
    await approve(id, { expiresAt });
    assert.equal((await record.keyRequests.byId(id))?.code?.expiresAt, expiresAt);
    const code = await approve(id);
    site.wait(2 * DAY_SECONDS);
    assert.match(await (await site.claim(code)).text(), /This claim code is not valid/);
  });
});

describe("a request whose key works", () => {
  it("cannot be declined after another approval, until that key is revoked", async () => {
    const id = await request();
    await claim(await approve(id));
    const code = await approve(id);
    const { keyId } = (await record.keyRequests.byId(id)) ?? {};
    await assert.rejects(decline(id), {
      code: "conflict",
      message: `Cannot decline this request: key ${keyId} came of it; revoke that key instead`,
    });
    const why = "Not theirs";
    const { now } = site.clock;
    await revokeKey(record.keys, OPERATOR, keyId ?? "", { why, now });
    assert.equal((await decline(id)).state, "declined");
    await assert.rejects(claim(code), { code: "not_found" });
  });
});

describe("a claimed key that was rotated since", () => {
  it("is revoked with the old one when another is claimed, whose terms are those of the newest", async () => {
    const id = await request();
    const claimed = await claim(await approve(id, { ratePerMinute: 7 }));
    const now = () => site.clock.now;
    const graceSeconds = DAY_SECONDS;
    const options = () => ({ graceSeconds, now: now() });
    const rotated = await rotateKey(record.keys, OPERATOR, claimed.record.id, options());
    await assert.rejects(rotateKey(record.keys, OPERATOR, claimed.record.id, options()), {
      code: "conflict",
      message: `Cannot rotate "${claimed.record.name}": it was replaced by the key ${rotated.record.id} already; rotate that one, or issue another`,
    });
    const code = await approve(id);
    await assert.rejects(decline(id), {
      message: new RegExp(`key ${rotated.record.id} came of it`),
    });
    const next = await claim(code);
    assert.partialDeepStrictEqual(next.record, {
      expiresAt: null,
      ratePerMinute: 7,
      rotatedFrom: rotated.record.id,
    });
    for (const old of [claimed, rotated]) {
      const { revokedWhy } = (await record.keys.byId(old.record.id)) ?? {};
      assert.equal(revokedWhy, "Another was claimed in its place");
    }
  });

  it("keeps its expiry when it is rotated again because the replacement was revoked", async () => {
    const expiresAt = new Date(site.clock.now.getTime() + 30 * DAY_SECONDS * 1000).toISOString();
    const first = await claim(await approve(await request(), { expiresAt }));
    const rotate = async () =>
      await rotateKey(record.keys, OPERATOR, first.record.id, {
        graceSeconds: 60,
        now: site.clock.now,
      });
    const second = await rotate();
    const revocation = { why: "Lost", now: site.clock.now };
    await revokeKey(record.keys, OPERATOR, second.record.id, revocation);
    assert.equal((await rotate()).record.expiresAt, expiresAt);
  });
});

async function request(): Promise<string> {
  await site.send("key-request", REQUEST);
  const [latest] = await record.keyRequests.list({ state: null, before: null, limit: 1 });
  return latest?.id ?? "";
}

/** @returns the claim code. */
async function approve(id: string, terms: Partial<KeyTerms> = {}): Promise<string> {
  const options = { terms, now: site.clock.now, origin: ORIGIN, sendsMail: false };
  const { code } = await record.atomically((stores) =>
    approveKeyRequest(stores, OPERATOR, id, options),
  );
  return code ?? "";
}

let visitors = 0;

/** Every claim comes from another address. */
async function claim(code: string) {
  visitors += 1;
  const context = { now: site.clock.now, address: `203.0.113.${visitors}` };
  return await record.atomically((stores) => claimKey(stores, code, context));
}

async function decline(id: string) {
  const options = { reason: "No", now: site.clock.now, origin: ORIGIN, sendsMail: false };
  return await record.atomically((stores) => declineKeyRequest(stores, OPERATOR, id, options));
}
