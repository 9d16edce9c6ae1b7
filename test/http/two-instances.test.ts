import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { SCOPES } from "../../src/access/actor.ts";
import { issueKey } from "../../src/access/keys/keys.ts";
import { inviteAdmin } from "../../src/access/people/admin-codes.ts";
import { readConfig } from "../../src/config.ts";
import { scheduleItem } from "../../src/content/editing/publishing.ts";
import { makeTemporaryFolder } from "../../src/files/temporary-folder.ts";
import { unpackZip } from "../../src/files/zip-unpacking.ts";
import type { RecordStores } from "../../src/storage/record/stores.ts";
import { requestExport } from "../../src/transfer/jobs.ts";
import { createWebhook } from "../../src/webhooks/managing.ts";
import type { Loose } from "../support/api-client.ts";
import { type MailServer, openMailServer } from "../support/mail-server.ts";
import { png } from "../support/media-bytes.ts";
import { type Fixture, NOW, ORIGIN, openFixture } from "../support/open-fixture.ts";
import { openBrowser, PASSWORD } from "../support/people.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { OPERATOR } from "../support/record-store.ts";
import { sendTo } from "../support/send-to.ts";
import { until } from "../support/until.ts";
import { openReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const STARTED_AT = Date.now();

/** Runs on from the time of the fixture, as a clock far ahead of it would not be trusted. */
function now(): Date {
  return new Date(NOW.getTime() + Date.now() - STARTED_AT);
}

const MANY = 12;

onPostgres("two instances on one database", () => {
  let database: TestDatabase;
  let mailServer: MailServer;
  let receiver: WebhookReceiver;
  let one: Fixture;
  let other: Fixture;
  let key: string;

  before(async () => {
    database = await createDatabase();
    mailServer = await openMailServer();
    receiver = await openReceiver();
    const config = {
      databaseUrl: database.url,
      mail: readConfig({ SMTP_URL: mailServer.url }).mail,
      webhookPrivateNetworks: true,
    };
    const options = { config, now };
    [one, other] = await Promise.all([openFixture(options), openFixture(options)]);
    const input = { name: "test", scopes: SCOPES, ratePerMinute: 10_000 };
    key = (await issueKey(one.record.keys, OPERATOR, input, now())).key;
  });

  after(async () => {
    await one.close();
    await other.close();
    await receiver[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it("fill it once, and both show it", async () => {
    const twice = await database.query(
      "SELECT target FROM audit WHERE action = 'content.create' GROUP BY target HAVING count(*) > 1",
    );
    assert.deepEqual(twice, []);
    assert.equal((await audited("site.update")).length, 1);
    for (const instance of [one, other]) {
      assert.equal((await instance.get("/topics/time")).status, 200);
    }
  });

  it("show what the other one published, and to whoever changed it at once", async () => {
    const body = { type: "topic", title: "Seen everywhere", status: "published" };
    const { status } = await ask(one, "POST", "/content", body);
    assert.equal(status, 201);
    assert.equal((await one.get("/topics/seen-everywhere")).status, 200);
    await until(async () => (await other.get("/topics/seen-everywhere")).status === 200);
  });

  it("serve a picture of the other one as soon as they show the page that has it, until it is withdrawn", async () => {
    const added = await sendTo(one.http, "/api/v1/media", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/png" },
      body: new Uint8Array(png(5, 5)),
    });
    const { path } = z.object({ path: z.string() }).parse(await added.json());
    assert.equal((await other.get(path)).status, 404, "nothing public shows it yet");
    const body = `![A square](${path})`;
    const page = await ask(one, "POST", "/content", {
      type: "topic",
      title: "Squares",
      body,
      status: "published",
    });
    await until(async () => (await other.get("/topics/squares")).status === 200);
    const served = await other.get(path, { Range: "bytes=1-3" });
    assert.deepEqual([served.status, await served.text()], [206, "PNG"]);
    const withdrawn = await ask(other, "POST", `/content/${page.body.id}/unpublish`, undefined, {
      "If-Match": "*",
    });
    assert.equal(withdrawn.status, 200);
    for (const instance of [one, other]) {
      await until(async () => (await instance.get(path)).status === 404);
    }
  });

  it("serve a file that is always public and was uploaded at the other one", async () => {
    const added = await sendTo(one.http, "/api/v1/media?alwaysPublic=true", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/png" },
      body: new Uint8Array(png(5, 6)),
    });
    const { path } = z.object({ path: z.string() }).parse(await added.json());
    await until(async () => (await other.get(path)).status === 200);
  });

  it("let somebody in who signed in at the other one, until the session ends at any", async () => {
    const input = { email: "ada@example.org", name: "Ada", role: "owner" } as const;
    const { code } = await one.record.atomically((stores) =>
      inviteAdmin(stores, OPERATOR, input, { now: now(), origin: ORIGIN, sendsMail: false }),
    );
    const here = openBrowser(one);
    const there = openBrowser(other);
    const claim = { code: code ?? "", "new-password": PASSWORD };
    assert.equal((await here.send("/admin/claim", claim)).status, 303);
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    assert.equal((await there.get("/admin/account")).status, 200);
    assert.equal((await there.send("/admin/sign-out")).status, 303);
    assert.equal((await here.get("/admin/account")).location, "/admin/sign-in");
  });

  it("count wrong passwords together", async () => {
    const address = "203.0.113.7";
    const statuses: number[] = [];
    for (let tried = 0; tried < 11; tried += 1) {
      const browser = openBrowser(tried % 2 === 0 ? one : other, address);
      statuses.push((await browser.signIn("nobody@example.org", "x")).status);
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429]);
  });

  it("let a key in that was issued at the other one, until it is revoked at any", async () => {
    const issued = await ask(one, "POST", "/keys", { name: "short", scopes: ["content:read"] });
    const with_ = async (instance: Fixture) =>
      (await instance.get("/api/v1/", { Authorization: `Bearer ${issued.body.key}` })).status;
    assert.deepEqual([await with_(one), await with_(other)], [200, 200]);
    await ask(other, "DELETE", `/keys/${issued.body.id}`, undefined, { "If-Match": "*" });
    assert.equal(await with_(other), 401);
    await until(async () => (await with_(one)) === 401);
  });

  it("publish what is scheduled once, each telling of it once", async () => {
    const { webhooks, content } = one.record;
    await createWebhook(
      webhooks,
      OPERATOR,
      { url: receiver.url, events: ["content.publish"], description: "" },
      { now: now(), privateNetworks: true },
    );
    const ids: string[] = [];
    for (let number = 0; number < MANY; number += 1) {
      const { body } = await ask(one, "POST", "/content", {
        type: "topic",
        title: `Scheduled ${number}`,
        status: "draft",
      });
      ids.push(body.id);
    }
    const publishAt = new Date(now().getTime() + 1500);
    for (const id of ids) {
      await scheduleItem(content, OPERATOR, id, { now: now(), publishAt });
    }
    await receiver.until(MANY);
    await sleep(2500);
    assert.equal(receiver.received.length, MANY);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, MANY);
    for (const id of ids) {
      const actions = (await content.revisions(id)).map(({ action }) => action);
      assert.deepEqual(actions, ["content.publish", "content.schedule", "content.create"]);
    }
    assert.equal((await audited("content.publish")).length, MANY);
  });

  it("send each mail once", async () => {
    const letters = Array.from({ length: MANY }, (_, number) => letter(`m${number}`));
    for (const each of letters) await one.record.outbox.put(each, now());
    await until(async () => mailServer.caught.length >= MANY);
    await sleep(2500);
    const subjects = mailServer.caught.map(({ headers }) => headers.get("subject"));
    assert.deepEqual(subjects.sort(), letters.map(({ subject }) => subject).sort());
  });

  it("run a job once, and either gives its result", async () => {
    const jobs = [one, other, one].map(
      async ({ record }) => await requestExport(record.jobs, OPERATOR, { now: now() }),
    );
    for (const { id } of await Promise.all(jobs)) {
      await until(async () => (await one.record.jobs.job(id))?.state === "done");
      const ended = (await one.record.jobs.job(id))?.endedAt;
      for (const instance of [one, other]) {
        const headers = { Authorization: `Bearer ${key}` };
        const result = await sendTo(instance.http, `/api/v1/jobs/${id}/result`, { headers });
        assert.equal(result.status, 200);
        assert.match(await itemsIn(await result.bytes()), /"Seen everywhere"/);
      }
      await sleep(1200);
      assert.equal((await other.record.jobs.job(id))?.endedAt, ended);
    }
  });

  it("log no fault", () => {
    const faults = [...one.logged, ...other.logged]
      .filter((line) => JSON.parse(line).level >= 40)
      // On a busy machine an answer may take longer than an agent is kept waiting.
      .filter((line) => !line.includes("the rate limits are kept by each process alone"));
    assert.deepEqual(faults, []);
  });

  async function ask(
    instance: Fixture,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string; body: Loose }> {
    const response = await sendTo(instance.http, `/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("/json") === true;
    return { status: response.status, text, body: isJson ? JSON.parse(text) : null };
  }

  async function audited(action: string): Promise<unknown[]> {
    return await database.query(`SELECT number FROM audit WHERE action = '${action}'`);
  }
});

type Letter = Parameters<RecordStores["outbox"]["put"]>[0];

function letter(about: string): Letter {
  const to = "ada@reader.example";
  return { kind: "key-declined", about, to, replyTo: null, subject: `About ${about}`, text: about };
}

/** The lines of all items in an exported ZIP. */
async function itemsIn(zip: Uint8Array): Promise<string> {
  await using folder = await makeTemporaryFolder();
  const file = join(folder.path, "site.zip");
  writeFileSync(file, zip);
  await unpackZip(file, join(folder.path, "site"));
  return readFileSync(join(folder.path, "site/content/items.jsonl"), "utf8");
}
