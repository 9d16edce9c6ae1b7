import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, mock } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { receiveMessage } from "../src/access/submissions/messages.ts";
import type { App } from "../src/app/options.ts";
import { openApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { saveItem } from "../src/content/editing/editing.ts";
import { deleteItem, scheduleItem } from "../src/content/editing/publishing.ts";
import { saveSite } from "../src/content/site/site-saving.ts";
import { createLog } from "../src/log.ts";
import { type SavedTime, TrustedTime } from "../src/work/trusted-time.ts";
import { testedEngine } from "./support/engine.ts";
import { createMigratedDatabase } from "./support/postgres-store.ts";
import { NOW, OPERATOR, SITE, topic } from "./support/record-store.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TEN_YEARS = 3653 * DAY;

/** Each round of the clock's tasks checks the time once, as it begins. */
const rounds = mock.method(TrustedTime.prototype, "check");

interface Site extends AsyncDisposable {
  app: App;
  /** Lines about the clock. */
  logged: string[];
  /** Time goes by; the clock of the service ticks in between. */
  pass(seconds: number, step?: number): Promise<void>;
  /** Sets the wall clock by so much. */
  set(seconds: number): Promise<void>;
  /** Stops the service, for so long, and starts it again. */
  off(seconds: number): Promise<void>;
  schedule(title: string, seconds: number): Promise<string>;
  trash(title: string): Promise<string>;
  /** Receives the message of a visitor. */
  hear(): Promise<string>;
  isKept(message: string): Promise<boolean>;
  statusOf(id: string): Promise<string | undefined>;
  /** Is its text gone for good? */
  isWiped(id: string): Promise<boolean>;
}

async function openSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-time-"));
  const database = testedEngine() === "SQLite" ? null : await createMigratedDatabase();
  const config = readConfig({ DATA_DIR: folder, DEMO: "0", DATABASE_URL: database?.url });
  const logged: string[] = [];
  let wall = NOW.getTime();
  let monotonic = 0;
  const open = async () =>
    await openApp(config, {
      log: createLog("info", (line) => {
        const { msg } = JSON.parse(line);
        if (String(msg).startsWith("The clock")) logged.push(msg);
      }),
      now: () => new Date(wall),
      monotonic: () => monotonic,
      seed: async (content) => {
        await saveSite(content, OPERATOR, SITE, [], NOW);
      },
    });
  /** Two rounds of the clock's tasks begin: what was due in the first is done. */
  const tick = async () => {
    for (let round = 0; round < 2; round += 1) {
      const seen = rounds.mock.callCount();
      while (rounds.mock.callCount() === seen) {
        mock.timers.tick(1000);
        await sleep(1);
      }
    }
  };
  const content = () => site.app.record.content;
  const site: Site = {
    app: await open(),
    logged,
    async pass(seconds, step = seconds / 4) {
      for (let gone = 0; gone < seconds; gone += step) {
        wall += step * 1000;
        monotonic += step * 1000;
        await tick();
      }
    },
    async set(seconds) {
      wall += seconds * 1000;
      await tick();
    },
    async off(seconds) {
      await site.app.close();
      wall += seconds * 1000;
      monotonic = 0;
      site.app = await open();
      await tick();
    },
    async schedule(title, seconds) {
      const draft = await saveItem(content(), OPERATOR, topic(title, { status: "draft" }), NOW);
      const options = { now: new Date(wall), publishAt: new Date(wall + seconds * 1000) };
      await scheduleItem(content(), OPERATOR, draft.item.id, options);
      return draft.item.id;
    },
    async trash(title) {
      const { item } = await saveItem(content(), OPERATOR, topic(title, { body: "Text" }), NOW);
      await deleteItem(content(), OPERATOR, item.id, { now: new Date(wall) });
      return item.id;
    },
    async hear() {
      const input = { name: "Ada", email: "ada@example.org", text: "A question" };
      const context = { now: new Date(wall), origin: "https://site.example", sendsMail: false };
      const { id } = await site.app.record.atomically((stores) =>
        receiveMessage(stores, input, context),
      );
      return id;
    },
    isKept: async (message) => (await site.app.record.messages.byId(message)) !== null,
    statusOf: async (id) => (await content().item(id))?.status,
    isWiped: async (id) => (await content().item(id))?.revision === 0,
    async [Symbol.asyncDispose]() {
      await site.app.close();
      await database?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
  return site;
}

describe("the clock", () => {
  before(() => mock.timers.enable({ apis: ["setInterval"] }));
  after(() => mock.timers.reset());

  it("publishes on time and purges what was deleted 30 days ago, over ordinary stops", async () => {
    await using site = await openSite();
    const trashed = await site.trash("Trashed");
    const soon = await site.schedule("Soon", 30 * MINUTE);
    await site.off(20 * MINUTE);
    assert.equal(await site.statusOf(soon), "scheduled");
    await site.off(20 * MINUTE);
    assert.equal(await site.statusOf(soon), "published");
    await site.pass(29 * DAY, 6 * HOUR);
    assert(!(await site.isWiped(trashed)));
    await site.pass(2 * DAY, 6 * HOUR);
    assert(await site.isWiped(trashed));
    assert.deepEqual(site.logged, []);
  });

  for (const [way, seconds] of [
    ["ahead", TEN_YEARS],
    ["back", -TEN_YEARS],
  ] as const) {
    it(`that goes ten years ${way} for 10 seconds publishes and destroys nothing`, async () => {
      await using site = await openSite();
      await site.pass(2 * DAY, 6 * HOUR);
      const trashed = await site.trash("Trashed");
      const embargoed = await site.schedule("Embargoed", HOUR);
      await site.set(seconds);
      const message = await site.hear();
      await site.pass(10, 1);
      await site.set(-seconds);
      assert.equal(await site.statusOf(embargoed), "scheduled");
      assert(!(await site.isWiped(trashed)));
      assert.equal(site.logged.filter((line) => line.startsWith("The clock jumped")).length, 2);
      await site.pass(2 * HOUR, 10 * MINUTE);
      assert.equal(await site.statusOf(embargoed), "published");
      await site.pass(28 * DAY, 12 * HOUR);
      assert(!(await site.isWiped(trashed)));
      await site.pass(3 * DAY, 12 * HOUR);
      assert(await site.isWiped(trashed));
      assert(await site.isKept(message));
    });
  }

  it("that is wrong at a start is not believed before it has been steady", async () => {
    await using site = await openSite();
    await site.pass(2 * DAY, 6 * HOUR);
    const trashed = await site.trash("Trashed");
    const embargoed = await site.schedule("Embargoed", 3 * HOUR);
    await site.off(TEN_YEARS);
    await site.pass(10, 1);
    await site.set(-TEN_YEARS);
    await site.pass(9 * MINUTE, MINUTE);
    await site.off(5);
    assert.equal(await site.statusOf(embargoed), "scheduled");
    assert(!(await site.isWiped(trashed)));
  });

  it("of a site that was off for three months publishes after 10 minutes and purges after a day", async () => {
    await using site = await openSite();
    await site.pass(2 * DAY, 6 * HOUR);
    const trashed = await site.trash("Trashed");
    const due = await site.schedule("Due", DAY);
    await site.off(90 * DAY);
    assert.match(site.logged.at(-1) ?? "", /^The clock is far .* purging for 24 hours/);
    await site.pass(9 * MINUTE, MINUTE);
    assert.equal(await site.statusOf(due), "scheduled");
    await site.pass(2 * MINUTE, MINUTE);
    assert.equal(await site.statusOf(due), "published");
    await site.pass(12 * HOUR, HOUR);
    await site.off(HOUR / 2);
    await site.pass(11 * HOUR, HOUR);
    assert(!(await site.isWiped(trashed)));
    await site.pass(2 * HOUR, HOUR);
    assert(await site.isWiped(trashed));
  });
});

it("times waits by a clock that a jump does not change, until the new time is trusted", async () => {
  let wall = NOW.getTime();
  let monotonic = 0;
  let seen: SavedTime | null = null;
  const open = async () =>
    await TrustedTime.open({
      store: {
        load: async () => seen,
        save: async (saved) => {
          seen = saved;
        },
      },
      now: () => new Date(wall),
      monotonic: () => monotonic,
      log: createLog("silent"),
    });
  const pass = (seconds: number) => {
    wall += seconds * 1000;
    monotonic += seconds * 1000;
  };
  const inHours = (time: TrustedTime) => (time.steadyNow().getTime() - NOW.getTime()) / 3_600_000;
  const time = await open();
  await time.check();
  wall += 5 * HOUR * 1000;
  assert.equal(inHours(time), 0, "not checked yet");
  await time.check();
  pass(9 * MINUTE);
  await time.check();
  assert.equal(inHours(time), 0.15);
  pass(2 * MINUTE);
  await time.check();
  assert.equal(inHours(time).toFixed(2), "5.18");
  await time.save();
  wall -= 1000 * HOUR * 1000;
  assert.equal(inHours(await open()).toFixed(2), "5.18", "started by a clock that is behind");
});
