import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { auditEntryForChange } from "../../src/access/audit.ts";
import { deleteItem } from "../../src/content/editing/publishing.ts";
import { createLog } from "../../src/log.ts";
import { listDeliveries, pingWebhook, retryDelivery } from "../../src/webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  inspectWebhook,
  rotateWebhookSecret,
} from "../../src/webhooks/managing.ts";
import { pruneDeliveries } from "../../src/webhooks/queue.ts";
import { createWebhookQueue } from "../../src/webhooks/sending/webhook-queue.ts";
import type { Delivery, Webhook as OurWebhook } from "../../src/webhooks/webhook.ts";
import { type BackgroundWorker, QueueWorker } from "../../src/work/queue-worker.ts";
import {
  OPERATOR,
  openPlace,
  openRecordStore,
  RECORD_ORIGIN,
  type RecordStore,
  topic,
} from "../support/record-store.ts";
import { until } from "../support/until.ts";
import {
  answerStatus,
  isSignedBy,
  openReceiver,
  type WebhookReceiver,
} from "../support/webhook-receiver.ts";

const CLOCK = { kind: "clock" } as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DELIVERING_PROCESS = join(import.meta.dirname, "../support/webhook-process.ts");

interface Scene extends AsyncDisposable {
  store: RecordStore;
  receiver: WebhookReceiver;
  webhook: OurWebhook;
  secret: string;
  logged: string[];
  clock: { now: Date };
  worker: BackgroundWorker & { settled(): Promise<void> };
  /** Runs all that is due after a number of seconds. */
  work(afterMilliseconds?: number): Promise<void>;
  log(): Promise<readonly Delivery[]>;
}

async function openScene({
  events = ["content.*"],
  attemptMilliseconds = 2000,
}: {
  events?: readonly string[];
  attemptMilliseconds?: number;
} = {}): Promise<Scene> {
  const store = await openRecordStore();
  const receiver = await openReceiver();
  const clock = { now: new Date() };
  const logged: string[] = [];
  const { webhooks } = store.record;
  const { webhook, secret } = await createWebhook(
    webhooks,
    OPERATOR,
    { url: receiver.url, events: [...events], description: "" },
    { now: clock.now, privateNetworks: true },
  );
  const worker = workerOn(store, clock, { logged, attemptMilliseconds });
  return {
    store,
    receiver,
    webhook,
    secret,
    logged,
    clock,
    worker,
    async work(afterMilliseconds = 0) {
      clock.now = new Date(clock.now.getTime() + afterMilliseconds);
      await worker.work();
      await worker.settled();
    },
    log: async () => (await listDeliveries(webhooks, OPERATOR, webhook.id, { limit: 100 })).items,
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await receiver[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

function workerOn(
  { record }: RecordStore,
  clock: { now: Date },
  {
    logged = [],
    attemptMilliseconds = 2000,
    privateNetworks = true,
  }: {
    logged?: string[];
    attemptMilliseconds?: number;
    privateNetworks?: boolean;
  } = {},
) {
  const queue = createWebhookQueue({
    webhooks: record.webhooks,
    origin: RECORD_ORIGIN,
    version: "0.0.0",
    privateNetworks,
    now: () => clock.now,
    steadyNow: () => clock.now,
    isTimeTrusted: () => true,
    attemptMilliseconds,
  });
  return new QueueWorker(
    queue,
    createLog("debug", (line) => logged.push(line)),
  );
}

describe("a delivery", () => {
  it("tells of a change, signed so that the library of the scheme believes it", async () => {
    await using scene = await openScene();
    const { item } = await scene.store.save(topic("Time"), { now: scene.clock.now });
    await scene.work();
    const [message] = scene.receiver.received;
    assert(message !== undefined);
    const headers = Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
    );
    const verified = new Webhook(scene.secret).verify(message.text, headers);
    assert.deepEqual(verified, {
      type: "content.create",
      timestamp: scene.clock.now.toISOString(),
      data: {
        number: 3,
        actor: "operator",
        target: "/topics/time",
        url: "https://quotations.example/topics/time",
        itemId: item.id,
        itemType: "topic",
        title: "Time",
        revisionBefore: null,
        revisionAfter: 1,
      },
    });
    assert.equal(headers["content-type"], "application/json");
    assert.match(headers["webhook-id"] ?? "", /^msg_[0-9a-f-]{36}$/);
    const [delivery] = await scene.log();
    assert.equal(delivery?.state, "delivered");
    assert.equal(delivery.last?.status, 204);
    assert.throws(() => new Webhook(`whsec_${btoa("another")}`).verify(message.text, headers));
  });

  it("says what was found when something of the site turns bad", async () => {
    await using scene = await openScene({ events: ["health.*"] });
    const detail = "The backup failed: the disk is full";
    const now = scene.clock.now;
    const entry = {
      ...auditEntryForChange("health.fail", "backup", { actor: CLOCK, now }),
      detail,
    };
    await scene.store.record.atomically(({ health }) =>
      health.save({ backup: { since: now.toISOString() } }, [entry]),
    );
    await scene.work();
    const { data } = scene.receiver.received[0]?.body ?? {};
    assert.partialDeepStrictEqual(data, { actor: "clock", target: "backup", detail });
  });

  it("has no address of an item that nobody may see", async () => {
    await using scene = await openScene();
    await scene.store.save(topic("Time", { status: "draft" }));
    await scene.work();
    const { data } = scene.receiver.received[0]?.body ?? {};
    assert.equal(data.title, "Time");
    assert.equal("url" in data, false);
  });

  it("names the item of a draft that is deleted", async () => {
    await using scene = await openScene({ events: ["content.delete"] });
    const { item } = await scene.store.save(topic("Time", { status: "draft" }));
    await deleteItem(scene.store.content, OPERATOR, item.id, { now: scene.clock.now });
    await scene.work();
    const { data } = scene.receiver.received[0]?.body ?? {};
    assert.partialDeepStrictEqual(data, { target: item.path, itemId: item.id, title: "Time" });
  });

  it("tells of nothing that was before the webhook, nor of what it does not listen to", async () => {
    await using scene = await openScene({ events: ["content.update", "key.*"] });
    await scene.store.save(topic("Time"));
    await scene.work();
    assert.equal(scene.receiver.received.length, 0);
    await scene.store.save(topic("Time", { path: "/topics/time", summary: "New" }));
    await scene.work();
    assert.deepEqual(
      scene.receiver.received.map(({ body }) => body.type),
      ["content.update"],
    );
  });

  it("of much at once brings everything, once each", async () => {
    await using scene = await openScene();
    await scene.store.content.write(async () => {});
    for (let n = 0; n < 60; n += 1) await scene.store.save(topic(`Topic ${n}`));
    await scene.work();
    const targets = scene.receiver.received.map(({ body }) => body.data.target);
    assert.equal(targets.length, 60);
    assert.equal(new Set(targets).size, 60);
  });

  it("that fails is made again under the same id, later and later, then given up", async () => {
    await using scene = await openScene();
    scene.receiver.answer = answerStatus(500);
    await scene.store.save(topic("Time"));
    await scene.work();
    await scene.work(4000);
    assert.equal(scene.receiver.received.length, 1, "not before its time");
    for (const wait of [6000, 2 * MINUTE, 6 * MINUTE, 35 * MINUTE, 3 * HOUR, 7 * HOUR, 14 * HOUR]) {
      await scene.work(wait);
    }
    assert.equal(scene.receiver.received.length, 8);
    assert.equal((await scene.log())[0]?.state, "waiting");
    await scene.work(27 * HOUR);
    await scene.work(100 * HOUR);
    assert.equal(scene.receiver.received.length, 9);
    const ids = new Set(scene.receiver.received.map(({ headers }) => headers["webhook-id"]));
    assert.equal(ids.size, 1);
    const texts = new Set(scene.receiver.received.map(({ text }) => text));
    assert.equal(texts.size, 1);
    const [delivery] = await scene.log();
    assert.equal(delivery?.state, "failed");
    assert.equal(delivery.attempts, 9);
    assert.equal(delivery.last?.error, "Answered 500");
    for (const message of scene.receiver.received) assert(isSignedBy(scene.secret, message));
  });

  it("waits as long as the receiver asks", async () => {
    await using scene = await openScene();
    scene.receiver.answer = answerStatus(429, { "Retry-After": "3600" });
    await scene.store.save(topic("Time"));
    await scene.work();
    await scene.work(30 * MINUTE);
    assert.equal(scene.receiver.received.length, 1);
    scene.receiver.answer = answerStatus(200);
    await scene.work(31 * MINUTE);
    assert.equal(scene.receiver.received.length, 2);
    assert.equal((await scene.log())[0]?.state, "delivered");
  });

  it("to an address that is gone is the last one", async () => {
    await using scene = await openScene();
    scene.receiver.answer = answerStatus(410);
    await scene.store.save(topic("Time"));
    await scene.work();
    const { webhooks } = scene.store.record;
    const webhook = await inspectWebhook(webhooks, OPERATOR, scene.webhook.id);
    assert.equal(webhook.state, "disabled");
    assert.equal(webhook.disabledWhy, "Its address answered 410 Gone");
    const [entry] = await scene.store.record.audit.entries({ limit: 1 });
    assert.deepEqual(
      [entry?.action, entry?.actor, entry?.target],
      ["webhook.disable", "clock", webhook.id],
    );
    await scene.store.save(topic("Other"));
    await scene.work(HOUR);
    assert.equal(scene.receiver.received.length, 1);
  });

  it("by hand is made at once, and under the same id", async () => {
    await using scene = await openScene();
    await scene.store.save(topic("Time"));
    await scene.work();
    const { webhooks } = scene.store.record;
    const place = { id: scene.webhook.id, number: (await scene.log())[0]?.number ?? 0 };
    await retryDelivery(webhooks, OPERATOR, place, { now: scene.clock.now });
    await scene.work();
    const [first, second] = scene.receiver.received;
    assert.equal(first?.headers["webhook-id"], second?.headers["webhook-id"]);
    await assert.rejects(
      retryDelivery(webhooks, OPERATOR, { ...place, number: 999 }, { now: scene.clock.now }),
      { code: "not_found", message: "This webhook has no delivery with the number 999" },
    );
  });
});

describe("a receiver", () => {
  it("that takes too long is hung up on", async () => {
    await using scene = await openScene({ attemptMilliseconds: 150 });
    scene.receiver.answer = () => {};
    await scene.store.save(topic("Time"));
    await scene.work();
    const [delivery] = await scene.log();
    assert.equal(delivery?.last?.error, "No answer within 0.15 seconds");
    assert.equal(delivery.state, "waiting");
    assert.ok((delivery.last?.milliseconds ?? 0) >= 140);
  });

  it("is not followed elsewhere", async () => {
    await using scene = await openScene();
    await using elsewhere = await openReceiver();
    scene.receiver.answer = answerStatus(307, { Location: elsewhere.url });
    await scene.store.save(topic("Time"));
    await scene.work();
    assert.equal(elsewhere.received.length, 0);
    assert.equal((await scene.log())[0]?.last?.error, "Answered 307: redirects are not followed");
  });

  it("may answer at endless length without keeping anybody", async () => {
    await using scene = await openScene();
    let isCut = false;
    scene.receiver.answer = (response) => {
      response.on("close", () => {
        isCut = true;
      });
      const pour = () => {
        while (!isCut && response.write("x".repeat(64 * 1024)));
      };
      response.on("drain", pour);
      response.writeHead(200);
      pour();
    };
    await scene.store.save(topic("Time"));
    await scene.work();
    assert.equal((await scene.log())[0]?.state, "delivered");
    await until(() => isCut);
  });

  it("that dribbles its answer has answered all the same", async () => {
    await using scene = await openScene({ attemptMilliseconds: 200 });
    scene.receiver.answer = (response) => response.writeHead(200).write("a");
    await scene.store.save(topic("Time"));
    await scene.work();
    assert.equal((await scene.log())[0]?.state, "delivered");
  });

  it("that cuts the line, or speaks no HTTP, or is not there, is told apart", async () => {
    await using scene = await openScene();
    const errors: unknown[] = [];
    scene.receiver.answer = (response) => response.socket?.destroy();
    await scene.store.save(topic("One"));
    await scene.work();
    errors.push((await scene.log())[0]?.last?.error);
    scene.receiver.answer = (response) => response.socket?.end("EHLO\r\n\r\n");
    await scene.store.save(topic("Two"));
    await scene.work();
    errors.push((await scene.log())[0]?.last?.error);
    const change = async (url: string) => {
      const options = { now: scene.clock.now, privateNetworks: true };
      const { webhooks } = scene.store.record;
      await changeWebhook(webhooks, OPERATOR, scene.webhook.id, { ...options, changes: { url } });
    };
    await change("http://127.0.0.1:1/");
    await scene.store.save(topic("Three"));
    await scene.work();
    errors.push((await scene.log())[0]?.last?.error);
    await change("http://nobody.invalid/");
    await scene.store.save(topic("Four"));
    await scene.work();
    errors.push((await scene.log())[0]?.last?.error);
    await change(scene.receiver.url.replace("http:", "https:"));
    await scene.store.save(topic("Five"));
    await scene.work();
    errors.push((await scene.log())[0]?.last?.error);
    assert.match(String(errors.splice(3, 1)), /^(There is no such host|The host's address could)/);
    assert.deepEqual(errors, [
      "The connection was cut",
      "The answer was not HTTP",
      "Nothing listens at that address",
      "The TLS connection failed",
    ]);
  });

  it("in a private network is not reached once that is no longer allowed", async () => {
    await using scene = await openScene();
    const strict = workerOn(scene.store, scene.clock, { privateNetworks: false });
    await scene.store.save(topic("Time"));
    await strict.work();
    await strict.settled();
    assert.equal(scene.receiver.received.length, 0);
    assert.equal(
      (await scene.log())[0]?.last?.error,
      "Not sent: the address must start with https://",
    );
  });
});

describe("a webhook", () => {
  it("that fails for days is disabled, and hears of what comes once it is enabled again", async () => {
    await using scene = await openScene();
    scene.receiver.answer = answerStatus(500);
    for (let day = 0; day < 6; day += 1) {
      await scene.store.save(topic(`Day ${day}`));
      await scene.work();
      for (let hour = 0; hour < 24; hour += 6) await scene.work(6 * HOUR);
    }
    const { webhooks } = scene.store.record;
    const failing = await inspectWebhook(webhooks, OPERATOR, scene.webhook.id);
    assert.equal(failing.state, "disabled");
    assert.match(failing.disabledWhy ?? "", /^Every attempt failed since /);
    assert((await scene.log()).every(({ state }) => state === "failed"));

    await scene.store.save(topic("Unheard"));
    await scene.work();
    await assert.rejects(pingWebhook(webhooks, OPERATOR, failing.id, { now: scene.clock.now }), {
      code: "conflict",
      message: "This webhook is disabled; enable it first",
    });
    scene.receiver.answer = answerStatus(200);
    scene.receiver.received.length = 0;
    await changeWebhook(webhooks, OPERATOR, failing.id, {
      now: scene.clock.now,
      privateNetworks: true,
      changes: { state: "enabled" },
    });
    await scene.store.save(topic("Heard"));
    await scene.work();
    assert.deepEqual(
      scene.receiver.received.map(({ body }) => body.data.target),
      ["/topics/heard"],
    );
  });

  it("with a new secret is signed for with both for a day, then with the new one", async () => {
    await using scene = await openScene();
    const { webhooks } = scene.store.record;
    const { secret } = await rotateWebhookSecret(webhooks, OPERATOR, scene.webhook.id, {
      now: scene.clock.now,
    });
    assert.notEqual(secret, scene.secret);
    await scene.store.save(topic("One"));
    await scene.work();
    await scene.store.save(topic("Two"));
    await scene.work(DAY + 1000);
    const [one, two] = scene.receiver.received;
    assert(one !== undefined && two !== undefined);
    assert(isSignedBy(secret, one) && isSignedBy(scene.secret, one));
    assert(isSignedBy(secret, two) && !isSignedBy(scene.secret, two));
  });

  it("does not keep what others wait for", async () => {
    await using scene = await openScene({ attemptMilliseconds: 20_000 });
    await using quick = await openReceiver();
    const { webhooks } = scene.store.record;
    const answerNow = scene.receiver.answer;
    const held: ServerResponse[] = [];
    scene.receiver.answer = (response) => held.push(response);
    const input = { url: quick.url, events: ["content.*"], description: "" };
    const options = { now: scene.clock.now, privateNetworks: true };
    await createWebhook(webhooks, OPERATOR, input, options);
    for (let n = 0; n < 30; n += 1) await scene.store.save(topic(`Topic ${n}`));
    await scene.worker.work();
    await quick.until(30);
    assert.equal(scene.receiver.received.length, 4, "only some attempts of one webhook at once");
    scene.receiver.answer = answerNow;
    for (const response of held) response.end();
  });

  it("leaves a log of thirty days", async () => {
    await using scene = await openScene();
    await scene.store.save(topic("Time"));
    await scene.work();
    const { webhooks } = scene.store.record;
    await pruneDeliveries(webhooks, new Date(scene.clock.now.getTime() + 29 * DAY));
    assert.equal((await scene.log()).length, 1);
    await pruneDeliveries(webhooks, new Date(scene.clock.now.getTime() + 31 * DAY));
    assert.equal((await scene.log()).length, 0);
  });
});

describe("several processes", () => {
  it("deliver everything once between them", async () => {
    await using scene = await openScene();
    const other = await openPlace(scene.store.place);
    const second = workerOn({ ...scene.store, record: other }, scene.clock);
    for (let n = 0; n < 40; n += 1) await scene.store.save(topic(`Topic ${n}`));
    await Promise.all([scene.worker.work(), second.work()]);
    await Promise.all([scene.worker.settled(), second.settled()]);
    await Promise.all([scene.worker.work(), second.work()]);
    await Promise.all([scene.worker.settled(), second.settled()]);
    await other.close();
    const targets = scene.receiver.received.map(({ body }) => body.data.target);
    assert.equal(targets.length, 40);
    assert.equal(new Set(targets).size, 40);
  });

  it("take over what another was sending when it was killed, under the same id", async () => {
    await using scene = await openScene();
    await scene.store.save(topic("Time"));
    scene.receiver.answer = () => {};
    const killed = spawn(process.execPath, [DELIVERING_PROCESS, scene.store.place, RECORD_ORIGIN]);
    const closed = once(killed, "close");
    await scene.receiver.until(1);
    killed.kill("SIGKILL");
    await closed;
    scene.receiver.answer = answerStatus(200);
    await scene.work(30_000);
    assert.equal(scene.receiver.received.length, 1, "still claimed by the other");
    await scene.work(MINUTE);
    const [first, again] = scene.receiver.received;
    assert.equal(first?.headers["webhook-id"], again?.headers["webhook-id"]);
    assert.equal((await scene.log())[0]?.state, "delivered");
  });
});

describe("a secret", () => {
  it("stands in no log line, no audit entry and no delivery", async () => {
    await using scene = await openScene();
    scene.receiver.answer = answerStatus(500);
    await scene.store.save(topic("Time"));
    await scene.work();
    const { record } = scene.store;
    const told = JSON.stringify([
      scene.logged,
      await record.audit.entries({ limit: 100 }),
      await scene.log(),
      await record.webhooks.list(),
      scene.receiver.received,
    ]);
    assert.equal(told.includes(scene.secret), false);
    assert.equal(told.includes("whsec_"), false);
  });
});
