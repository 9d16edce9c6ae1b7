import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SCOPES, type Scope } from "../../../src/access/actor.ts";
import { issueKey } from "../../../src/access/keys/keys.ts";
import { claimKey } from "../../../src/access/submissions/key-claims.ts";
import {
  eraseOldSubmissions,
  expireClaimCodes,
} from "../../../src/access/submissions/retention.ts";
import { type ContactSite, MESSAGE, openContactSite, REQUEST } from "../../support/contact.ts";
import { sendTo } from "../../support/send-to.ts";

const CODE = /^cplc_[0-9A-Za-z]{38}$/;
const DAY_SECONDS = 86_400;

describe("a request for a key", () => {
  it("is listed for administrators, latest first, by state and page by page", async () => {
    await using desk = await openDesk();
    for (const name of ["One", "Two", "Three"])
      await desk.site.send("key-request", { ...REQUEST, name });
    const first = await desk.ask("GET", "/key-requests?limit=2");
    assert.deepEqual(
      first.body.items.map(({ name }: { name: string }) => name),
      ["Three", "Two"],
    );
    const rest = await desk.ask("GET", `/key-requests?limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual(
      rest.body.items.map(({ name }: { name: string }) => name),
      ["One"],
    );
    assert.equal(rest.body.nextCursor, null);
    const other = await desk.ask(
      "GET",
      `/key-requests?state=pending&cursor=${first.body.nextCursor}`,
    );
    assert.equal(other.status, 400);
    assert.match(other.body.detail, /belongs to another query/);
    assert.deepEqual((await desk.ask("GET", "/key-requests?state=claimed")).body.items, []);
    assert.equal((await desk.ask("GET", "/key-requests?state=open")).status, 400);
    assert.doesNotMatch(JSON.stringify(first.body), /hash/i);
  });

  it("becomes a key by approval and a claim, each known to those it concerns only", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const approved = await desk.approve(id);
    assert.equal(approved.status, 200);
    const { code, state, terms, codeExpiresAt, decidedBy } = approved.body;
    assert.match(code, CODE);
    assert.deepEqual([state, codeExpiresAt], ["approved", "2026-11-27T12:01:00.000Z"]);
    assert.match(decidedBy, /^key:/);
    assert.deepEqual(terms, {
      scopes: ["mcp:read"],
      ratePerMinute: 60,
      networks: [],
      expiresAt: null,
    });
    const claimed = await desk.site.claim(`  ${code}\r\n`);
    const html = await claimed.text();
    assert.equal(claimed.status, 200);
    assert.equal(claimed.headers.get("cache-control"), "no-store");
    assert.equal(claimed.headers.get("access-control-allow-origin"), null);
    const key = keyIn(html);
    assert.match(html, /https:\/\/quotations\.example\/mcp/);
    const read = await desk.ask("GET", `/key-requests/${id}`);
    assert.equal(read.body.state, "claimed");
    assert(!JSON.stringify(read.body).includes(key));
    const record = await desk.ask("GET", `/keys/${read.body.keyId}`);
    assert.deepEqual(
      [record.body.name, record.body.owner, record.body.contact, record.body.purpose],
      ["Ada Lovelace", "Ada Lovelace, Analytical Society", "ada@reader.example", REQUEST.task],
    );
    assert.equal(record.body.createdBy, decidedBy);
    assert.equal(await desk.mcpStatus(key), 200);
    const actions = (await desk.ask("GET", "/audit")).body.items;
    assert.deepEqual(
      actions
        .filter(({ target }: { target: string }) => [id, read.body.keyId].includes(target))
        .map(({ action, actor }: { action: string; actor: string }) => `${action} ${actor}`),
      [
        "request.claim visitor",
        "key.issue visitor",
        `request.approve ${decidedBy}`,
        "request.ask visitor",
      ],
    );
    assert(!JSON.stringify(actions).includes("Ada"), "the audit log names nobody who asked");
  });

  it("is approved with the terms an administrator states", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const terms = {
      scopes: ["content:read", "mcp:read"],
      ratePerMinute: 5,
      networks: ["192.0.2.0/24"],
      expiresAt: "2027-01-01T00:00:00.000Z",
    };
    const { body } = await desk.approve(id, { ...terms, note: "a colleague" });
    assert.deepEqual(body.terms, { ...terms, scopes: ["mcp:read", "content:read"] });
    assert.equal(body.note, "a colleague");
    const html = await (await desk.site.claim(body.code)).text();
    assert.match(
      html,
      /5 requests a minute; until 2027-01-01T00:00:00.000Z; from 192.0.2.0\/24 only/,
    );
    assert.match(html, /\/api\/v1/);
  });

  const WRONG: [what: string, body: object, status: number, said: RegExp][] = [
    ["no scope", { scopes: [] }, 400, /a key without a scope opens nothing/],
    ["an unknown scope", { scopes: ["all"] }, 400, /scopes\.0: must be one of/],
    ["no requests", { ratePerMinute: 0 }, 400, /give a whole number from 1/],
    [
      "the past",
      { expiresAt: "2020-01-01T00:00:00Z" },
      400,
      /Cannot approve this request: expiresAt: lies in the past/,
    ],
    ["no network", { networks: ["home"] }, 400, /networks/],
    ["an unknown word", { hours: 3 }, 400, /mean nothing here: hours/],
    ["a bell in a note", { note: "\u0007" }, 400, /control characters/],
  ];
  for (const [what, body, status, said] of WRONG) {
    it(`is not approved with ${what}`, async () => {
      await using desk = await openDesk();
      const id = await desk.request();
      const refused = await desk.approve(id, body);
      assert.equal(refused.status, status);
      assert.match(refused.body.detail, said);
      assert.equal((await desk.ask("GET", `/key-requests/${id}`)).body.state, "pending");
    });
  }

  it("gives no more than whoever approves may do, and mcp:read in any case", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const clerk = await desk.keyWith("requests:manage");
    const refused = await desk.approve(id, { scopes: ["keys:manage"] }, clerk);
    assert.equal(refused.status, 403);
    assert.match(refused.body.detail, /cannot grant keys:manage: it lacks that itself/);
    const wide = await desk.approve(id, { scopes: ["keys:manage"] });
    assert.equal(wide.status, 200);
    const again = await desk.approve(id, {}, clerk);
    assert.equal(again.status, 403, "nor by taking over what another decided");
    assert.equal((await desk.approve(id, { scopes: ["mcp:read"] }, clerk)).status, 200);
    assert.equal((await desk.site.claim(wide.body.code)).status, 422);
  });

  it("asks for the state it was decided from", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const blind = await desk.ask("POST", `/key-requests/${id}/approve`, { body: {}, match: null });
    assert.equal(blind.status, 428);
    await desk.ask("POST", `/key-requests/${id}/approve`, { body: {}, match: '"1"' });
    const late = await desk.ask("POST", `/key-requests/${id}/decline`, {
      body: { reason: "no" },
      match: '"1"',
    });
    assert.equal(late.status, 412);
    assert.equal((await desk.ask("GET", "/key-requests/nope")).status, 404);
  });

  it("is declined with a reason, which can be taken back", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const without = await desk.ask("POST", `/key-requests/${id}/decline`, {
      body: { reason: " " },
    });
    assert.deepEqual(
      [without.status, without.body.problems],
      [400, [{ where: "reason", message: "say why" }]],
    );
    const { code } = (await desk.approve(id)).body;
    const declined = await desk.ask("POST", `/key-requests/${id}/decline`, {
      body: { reason: "Too wide" },
    });
    assert.deepEqual([declined.body.state, declined.body.reason], ["declined", "Too wide"]);
    assert.equal((await desk.site.claim(code)).status, 422, "the code that was out works no more");
    const twice = await desk.ask("POST", `/key-requests/${id}/decline`, { body: { reason: "no" } });
    assert.equal(twice.status, 409);
    const approved = await desk.approve(id);
    assert.deepEqual([approved.body.state, approved.body.reason], ["approved", null]);
    await desk.site.claim(approved.body.code);
    const late = await desk.ask("POST", `/key-requests/${id}/decline`, { body: { reason: "no" } });
    assert.equal(late.status, 409);
    assert.match(late.body.detail, /key \S+ came of it; revoke that key instead/);
  });

  it("approved again has another code, and once claimed another key in place of the first", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const first = (await desk.approve(id, { ratePerMinute: 7 })).body.code;
    const second = (await desk.approve(id)).body;
    assert.equal(second.terms.ratePerMinute, 7);
    assert.equal((await desk.site.claim(first)).status, 422);
    const lost = keyIn(await (await desk.site.claim(second.code)).text());
    const third = (await desk.approve(id)).body;
    assert.equal(third.state, "approved");
    assert.equal(await desk.mcpStatus(lost), 200, "the first goes on until the other is claimed");
    const found = keyIn(await (await desk.site.claim(third.code)).text());
    assert.deepEqual([await desk.mcpStatus(lost), await desk.mcpStatus(found)], [401, 200]);
    const { keyId } = (await desk.ask("GET", `/key-requests/${id}`)).body;
    assert.equal(keyId, (await desk.ask("GET", `/keys/${keyId}`)).body.id);
    assert.notEqual((await desk.ask("GET", `/keys/${keyId}`)).body.rotatedFrom, null);
  });
});

describe("a claim code", () => {
  it("is told nothing of when it is wrong, used or too old: the answer is the same", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const { code } = (await desk.approve(id)).body;
    const old = await desk.request();
    const expired = (await desk.approve(old)).body.code;
    assert.equal((await desk.site.claim(code)).status, 200);
    desk.site.wait(7 * DAY_SECONDS);
    const answers = await Promise.all(
      [
        code,
        expired,
        `cplc_${"a".repeat(38)}`,
        "cplc_short",
        "💥",
        "x".repeat(5000),
        `${expired}\0`,
      ].map(async (wrong) => {
        const response = await desk.site.claim(wrong);
        return [response.status, await response.text()] as const;
      }),
    );
    for (const [status, html] of answers) {
      assert.equal(status, 422);
      assert.equal(html, answers[0]?.[1]);
      assert.match(html, /This claim code is not valid, has been used or has expired/);
    }
    assert.match(await (await desk.site.claim(" ")).text(), /Enter your claim code/);
  });

  it("can be tried ten times an hour from an address", async () => {
    await using desk = await openDesk();
    const { code } = (await desk.approve(await desk.request())).body;
    const from = { "X-Forwarded-For": "203.0.113.9" };
    for (let count = 0; count < 10; count += 1) {
      assert.equal((await desk.site.claim("cplc_guess", from)).status, 422);
    }
    const refused = await desk.site.claim(code, from);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "3600"]);
    assert.match(await refused.text(), /try again in 60 minutes/);
    desk.site.wait(3600);
    assert.equal((await desk.site.claim(code, from)).status, 200);
  });

  it("is refused in an address, and from another site's page", async () => {
    await using desk = await openDesk();
    const { code } = (await desk.approve(await desk.request())).body;
    assert.equal((await desk.site.app.get(`/contact/claim?code=${code}`)).status, 400);
    const foreign = { "Sec-Fetch-Site": "cross-site" };
    assert.equal((await desk.site.claim(code, foreign)).status, 403);
    assert(!desk.site.app.logged.join("").includes(code));
  });

  it("still works when claiming it failed halfway, and no key is left behind", async () => {
    await using desk = await openDesk();
    const { code } = (await desk.approve(await desk.request())).body;
    const { record } = desk.site.app;
    const cutOff = record.atomically(async (stores) => {
      await claimKey(stores, code, { now: desk.site.clock.now, address: "" });
      throw new Error("The power went");
    });
    await assert.rejects(cutOff, /The power went/);
    assert.equal((await desk.ask("GET", "/keys?text=Lovelace")).body.items.length, 0);
    assert.equal((await desk.site.claim(code)).status, 200);
  });

  it("used twice at once gives one key", async () => {
    await using desk = await openDesk();
    const { code } = (await desk.approve(await desk.request())).body;
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        const from = { "X-Forwarded-For": `203.0.113.${number}` };
        return (await desk.site.claim(code, from)).status;
      }),
    );
    assert.deepEqual(statuses.sort(), [200, 422, 422, 422, 422, 422, 422, 422]);
    assert.equal((await desk.ask("GET", "/keys?text=Lovelace")).body.items.length, 1);
  });

  it("shows its key to a second tap on the button, and to nobody later or elsewhere", async () => {
    await using desk = await openDesk();
    const { code } = (await desk.approve(await desk.request())).body;
    const shown = async (address = "203.0.113.8") => {
      const headers = { "X-Forwarded-For": address };
      const [key = ""] =
        /cpl_\w{38}/.exec(await (await desk.site.claim(code, headers)).text()) ?? [];
      return key;
    };
    const [first, atOnce] = await Promise.all([shown(), shown()]);
    assert.match(first, /^cpl_/);
    assert.equal(atOnce, first);
    desk.site.wait(9);
    assert.equal(await shown(), first);
    assert.equal(await shown("203.0.113.9"), "");
    desk.site.wait(1);
    assert.equal(await shown(), "");
    assert.equal((await desk.ask("GET", "/keys?text=Lovelace")).body.items.length, 1);
  });
});

describe("a message", () => {
  it("is read, marked and removed by administrators", async () => {
    await using desk = await openDesk();
    await desk.site.send("message", MESSAGE);
    await desk.site.send("message", { ...MESSAGE, text: "Another" });
    const { items } = (await desk.ask("GET", "/messages?state=new")).body;
    assert.deepEqual(
      items.map(({ text }: { text: string }) => text),
      ["Another", MESSAGE.text],
    );
    const id = items[1].id;
    const marked = await desk.ask("PATCH", `/messages/${id}`, { body: { state: "handled" } });
    assert.deepEqual([marked.body.state, marked.body.revision], ["handled", 2]);
    assert.match(marked.body.handledBy, /^key:/);
    assert.deepEqual((await desk.ask("GET", `/messages/${id}`)).body.mails, []);
    assert.equal((await desk.ask("GET", "/messages?state=handled")).body.items.length, 1);
    const reopened = await desk.ask("PATCH", `/messages/${id}`, { body: { state: "new" } });
    assert.deepEqual([reopened.body.state, reopened.body.handledBy], ["new", null]);
    const wrong = await desk.ask("PATCH", `/messages/${id}`, { body: { state: "read" } });
    assert.match(wrong.body.detail, /state: must be one of new, handled/);
    assert.equal((await desk.ask("DELETE", `/messages/${id}`)).status, 204);
    assert.equal((await desk.ask("GET", `/messages/${id}`)).status, 404);
  });
});

describe("the clock", () => {
  it("ends codes nobody used, and lets go of persons a year later", async () => {
    await using desk = await openDesk();
    const { keyRequests, messages } = desk.site.app.record;
    const id = await desk.request();
    const undecided = await desk.request();
    await desk.site.send("message", MESSAGE);
    await desk.approve(id, { note: "Ada again" });
    desk.site.wait(7 * DAY_SECONDS);
    await desk.tick();
    assert.equal((await desk.ask("GET", `/key-requests/${id}`)).body.state, "expired");
    desk.site.wait(364 * DAY_SECONDS);
    await desk.tick();
    assert.equal((await desk.ask("GET", `/key-requests/${id}`)).body.name, "Ada Lovelace");
    assert.equal((await messages.list({ state: null, before: null, limit: 9 })).length, 0);
    const forgotten = await keyRequests.byId(undecided);
    assert.deepEqual([forgotten?.state, forgotten?.name, forgotten?.task], ["expired", "", ""]);
    desk.site.wait(2 * DAY_SECONDS);
    await desk.tick();
    const { body } = await desk.ask("GET", `/key-requests/${id}`);
    assert.deepEqual(
      [body.name, body.email, body.organisation, body.task, body.data, body.note],
      ["", "", "", "", "", ""],
    );
    assert.equal(body.erasedAt, desk.site.clock.now.toISOString());
    assert.deepEqual(body.terms.scopes, ["mcp:read"]);
    const late = await desk.approve(id);
    assert.equal(late.status, 409);
    assert.match(late.body.detail, /have them ask again/);
  });

  it("lets go of messages after as many days as the settings say", async () => {
    await using desk = await openDesk();
    const { messages } = desk.site.app.record;
    const kept = async () => (await messages.list({ state: null, before: null, limit: 9 })).length;
    const body = { retention: { messageDays: 30 } };
    assert.equal((await desk.ask("PATCH", "/settings", { body })).status, 200);
    await desk.site.send("message", MESSAGE);
    desk.site.wait(30 * DAY_SECONDS);
    await desk.tick();
    assert.equal(await kept(), 1);
    desk.site.wait(1);
    await desk.tick();
    assert.equal(await kept(), 0);
  });

  it("leaves a key that was claimed when a further code runs out", async () => {
    await using desk = await openDesk();
    const id = await desk.request();
    const { code } = (await desk.approve(id)).body;
    const key = keyIn(await (await desk.site.claim(code)).text());
    const again = (await desk.approve(id)).body.code;
    desk.site.wait(8 * DAY_SECONDS);
    await desk.tick();
    assert.equal((await desk.ask("GET", `/key-requests/${id}`)).body.state, "claimed");
    assert.equal((await desk.site.claim(again)).status, 422);
    assert.equal(await desk.mcpStatus(key), 200);
  });
});

interface AskOptions {
  body?: object;
  key?: string;
  /** `If-Match`; whatever the state is unless said otherwise. */
  match?: string | null;
}

/** The contact page and the desk of the administrators behind it. */
async function openDesk() {
  const site = await openContactSite();
  const keyWith = async (...scopes: Scope[]) => {
    const input = { name: "clerk", scopes, ratePerMinute: 1000 };
    const { keys } = site.app.record;
    return (await issueKey(keys, { kind: "operator" }, input, site.clock.now)).key;
  };
  const own = await keyWith(...SCOPES);
  const ask = async (
    method: string,
    path: string,
    { body, key = own, match = "*" }: AskOptions = {},
  ) => {
    const response = await sendTo(site.app.http, `/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(match === null ? {} : { "If-Match": match }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  };
  return {
    site,
    keyWith,
    ask,
    tick: async () => await purgeExpiredOf(site),
    request: async (): Promise<string> => {
      assert.equal((await site.send("key-request", REQUEST)).status, 303);
      return (await ask("GET", "/key-requests?limit=1")).body.items[0].id;
    },
    approve: async (id: string, body: object = {}, key = own) =>
      await ask("POST", `/key-requests/${id}/approve`, { body, key }),
    mcpStatus: async (key: string) => {
      const response = await sendTo(site.app.http, "/mcp", {
        method: "POST",
        headers: {
          Authorization: `Bearer ${key}`,
          Host: "quotations.example",
          "Content-Type": "application/json",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: {} }),
      });
      return response.status;
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

async function purgeExpiredOf({ app, clock }: ContactSite): Promise<void> {
  await expireClaimCodes(app.record, clock.now);
  await eraseOldSubmissions(app.record, clock.now);
}

function keyIn(html: string): string {
  const [key] = /cpl_[0-9A-Za-z]{38}/.exec(html) ?? [];
  assert(key !== undefined, "the page shows the key");
  return key;
}
