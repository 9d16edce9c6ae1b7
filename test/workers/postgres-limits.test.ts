import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, it } from "node:test";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { type Served, serve, stop } from "../support/served.ts";

onPostgres("two machines of two workers each", () => {
  let database: TestDatabase;
  let lines: CommandLine[] = [];
  let machines: Served[] = [];

  before(async () => {
    database = await createDatabase();
    const environment = { DEMO: "0", WORKERS: "2", DATABASE_URL: database.url };
    lines = [openCommandLine(environment), openCommandLine(environment)];
    assert.equal((await lines[0]?.run("init"))?.code, 0);
    machines = await Promise.all(lines.map((line) => serve(line)));
  });

  after(async () => {
    await Promise.all(machines.map((machine) => stop(machine, "SIGTERM")));
    for (const line of lines) line[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  it("accept exactly 60 of 200 requests with one key, and ask by one connection each", async () => {
    const key = await issue();
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, at) => ping(machines[at % 2], key)),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 60);
    assert.equal(statuses.filter((status) => status === 429).length, 140);
    const connections = await database.query(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'commonplace rate limits' AND datname = current_database()`,
    );
    assert.equal(connections.length, 2);
  });

  async function issue(): Promise<string> {
    const [line] = lines;
    return (await line?.run("keys", "issue", "--name", "Agent"))?.out ?? "";
  }
});

/** By a connection of its own, which go to the workers in turn. */
async function ping(machine: Served | undefined, key: string): Promise<number | undefined> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const options = { method: "POST", headers, agent: false };
  return await new Promise((resolve, reject) => {
    request(`${machine?.origin}/mcp`, options, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    })
      .on("error", reject)
      .end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
  });
}
