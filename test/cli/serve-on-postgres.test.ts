import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { freePort } from "../support/free-port.ts";
import {
  createDatabase,
  createMigratedDatabase,
  onPostgres,
  type TestDatabase,
} from "../support/postgres-store.ts";
import { type Served, serve, stop } from "../support/served.ts";
import { until } from "../support/until.ts";
import { openWay, type Way } from "../support/way-to-database.ts";

onPostgres("commonplace serve, two processes on a port", () => {
  let database: TestDatabase;
  let way: Way;
  let line: CommandLine;
  let served: Served;
  let metricsPort: number;

  before(async () => {
    database = await createDatabase();
    way = await openWay(database.url);
    line = await openSiteLine({ DATABASE_URL: way.url, DEMO: "0" });
    metricsPort = await freePort();
    const more = { WORKERS: "2", METRICS_PORT: String(metricsPort) };
    served = await serve(line, { more });
  });

  after(async () => {
    await stop(served, "SIGKILL");
    line[Symbol.dispose]();
    await way[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it("greets without the address of the database", () => {
    assert.match(served.output(), /Issue a key, wherever DATABASE_URL is set as here/);
    assert(!served.output().includes("postgres://"));
  });

  it("tells what both have counted together, and each of them nothing", async () => {
    for (let request = 0; request < 20; request += 1) {
      await (await fetch(`${served.origin}/`, { headers: { Connection: "close" } })).text();
    }
    await until(async () => (await pagesCounted()) === 20);
    const words = ["keys", "issue", "--name", "Metrics", "--scope", "metrics:read"];
    const key = (await line.run(...words)).out;
    const headers = { Authorization: `Bearer ${key}` };
    const alone = await fetch(`${served.origin}/metrics`, { headers });
    assert.equal(alone.status, 503);
    assert.match(await alone.text(), /read METRICS_PORT/);
  });

  it("reads on without the database, and ends in order", async () => {
    await way.cut();
    assert.equal((await fetch(`${served.origin}/about`)).status, 200);
    assert.equal(await stop(served, "SIGTERM"), 0, served.output());
  });

  it("does not start without it, and says so", async () => {
    await assert.rejects(serve(line), /ended with 1: error: Cannot open the database 127\.0\.0\.1/);
  });

  it("ends when it cannot make the site, so that it can be started again", async () => {
    await using broken = await createMigratedDatabase();
    await broken.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await broken.query(
      "CREATE TRIGGER refuse BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION refuse()",
    );
    using fresh = openCommandLine({ DATABASE_URL: broken.url });
    await assert.rejects(serve(fresh), /ended with 1: .*refused/s);
  });

  it("ends within seconds while it hangs, whatever was under way", async () => {
    await using hanging = await openWay(database.url);
    await using other = await serve(line, { more: { DATABASE_URL: hanging.url } });
    hanging.hang();
    // By then the clock and the copy wait for an answer.
    await sleep(1500);
    const started = performance.now();
    assert.equal(await stop(other, "SIGTERM"), 0, other.output());
    const milliseconds = performance.now() - started;
    assert(milliseconds < 15_000, `it took ${milliseconds} ms`);
  });

  async function pagesCounted(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const found = /^commonplace_requests_total\{door="page",status="2xx"\} (\d+)$/m.exec(text);
    return Number(found?.[1]);
  }
});
