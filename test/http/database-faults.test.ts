import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type ApiClient, openApiClient } from "../support/api-client.ts";
import { type FailingWay, openFailingWay } from "../support/failing-way.ts";
import { type CallTool, openTools } from "../support/front-doors.ts";
import { ORIGIN } from "../support/open-fixture.ts";
import {
  createMigratedDatabase,
  onPostgres,
  type TestDatabase,
} from "../support/postgres-store.ts";
import { sendTo } from "../support/send-to.ts";
import { found } from "../support/until.ts";

/** One of each class, and each code with a meaning of its own, that the operator or a session causes. */
const PASSING = [
  ...["08006", "0A000", "0L000", "0P000", "25006", "25P03", "25P04", "26000", "28000", "28P01"],
  ...["3D000", "3F000", "40001", "40003", "40P01", "42501", "42703", "42704", "42883", "42P01"],
  ...["42P05", "53000", "53100", "53200", "53300", "53400", "54000", "54001", "55000", "55006"],
  ...["55P03", "57000", "57014", "57P01", "57P03", "58000", "58030", "58P01", "72000", "F0000"],
  ...["XX000", "XX001", "XX002"],
];
/** Statements of ours that are wrong. */
const BUGS = ["21000", "22012", "23502", "25P02", "42601"];
/** Each attempt to connect that fails is followed by a rest. */
const AT_CONNECTING = ["08006", "28P01", "3D000", "42501", "53300", "57P03"];

const READ = /^select .*"(?:items|path_claims)"/;
const KEYS = /"key_state"/;
const DRAFT = /^select .*"drafts"/;
const BEGIN = /^begin/;
const WRITE = /^(?:insert|update)/;
const COMMIT = /^commit$/;
const LISTEN = /^LISTEN/;
const LOG = /FROM change_state/;
const LIMITS = /take_turns/;

onPostgres("when statements fail in the database", () => {
  let database: TestDatabase;
  let way: FailingWay;
  let api: ApiClient;
  let callTool: CallTool;
  let number = 0;

  before(async () => {
    database = await createMigratedDatabase();
    way = await openFailingWay(database.url);
    api = await openApiClient({ config: { databaseUrl: way.url } });
    callTool = await openTools(api);
    await callTool("describe_content_catalog", {});
  });

  after(async () => {
    await api[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  async function post() {
    number += 1;
    return await api.request("POST", "/content", { body: { type: "topic", title: `T${number}` } });
  }

  async function requireReading(what: string): Promise<void> {
    assert.equal((await api.app.get("/topics/time")).status, 200, what);
    const { result } = await callTool("search_content", { query: "time" });
    assert.notEqual(result.isError, true, what);
    assert.equal((await api.app.get("/readyz")).status, 200, what);
  }

  async function statusesAt(at: RegExp | "connect", sqlstate: string) {
    way.fail(at, sqlstate);
    try {
      await requireReading(`${at} ${sqlstate}`);
      const [got, posted] = [await api.request("GET", "/content"), await post()];
      for (const { status, headers, text } of [got, posted]) {
        if (status !== 503) continue;
        assert.match(headers.get("retry-after") ?? "", /^\d+$/, text);
        assert.doesNotMatch(text, new RegExp(`syntax|${sqlstate}`), text);
      }
      return [got.status, posted.status];
    } finally {
      way.heal();
    }
  }

  it("each that is not ours to mend is answered 503 at a read, a write and a commit", async () => {
    for (const sqlstate of PASSING) {
      assert.deepEqual(await statusesAt(READ, sqlstate), [503, 503], `read ${sqlstate}`);
      assert.deepEqual(await statusesAt(WRITE, sqlstate), [200, 503], `write ${sqlstate}`);
      assert.deepEqual(await statusesAt(COMMIT, sqlstate), [200, 503], `commit ${sqlstate}`);
    }
    assert.equal((await post()).status, 201);
  });

  it("so are previews, for those with a key and those with a code", async () => {
    const made = await api.request("POST", "/drafts", {
      body: { type: "topic", changes: { title: "Candour" } },
    });
    const at = `/drafts/${made.body.id}`;
    const { body } = await api.request("POST", `${at}/preview-codes`, { body: {} });
    const enter = async () =>
      await sendTo(api.app.http, "/preview", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: ORIGIN },
        body: String(new URLSearchParams({ code: body.code })),
      });
    const entered = () => enter().then(({ status }) => status);
    const previewed = () => api.request("GET", `${at}/preview`).then(({ status }) => status);
    for (const [place, sqlstate] of PASSING.entries()) {
      for (const statement of [DRAFT, BEGIN]) {
        way.fail(statement, sqlstate);
        assert.equal(await previewed(), 503, `${statement} ${sqlstate}`);
        // Visitors may enter 60 codes an hour.
        if (place % 2 === 0) assert.equal(await entered(), 503, `${statement} ${sqlstate}`);
        way.heal();
      }
    }
    await found(async () => ((await previewed()) === 200 ? true : undefined));
  });

  it("no request fails because keys cannot be looked up", async () => {
    for (const sqlstate of PASSING) {
      for (const status of await statusesAt(KEYS, sqlstate)) {
        assert([200, 201, 503].includes(status), `keys ${sqlstate}: ${status}`);
      }
    }
    await found(async () => ((await post()).status === 201 ? true : undefined));
  });

  it("each that is a bug is answered 500", async () => {
    for (const sqlstate of BUGS) {
      assert.deepEqual(await statusesAt(WRITE, sqlstate), [200, 500], `write ${sqlstate}`);
      assert.deepEqual(await statusesAt(COMMIT, sqlstate), [200, 500], `commit ${sqlstate}`);
    }
  });

  it("limits and notifications go on without them", async () => {
    for (const sqlstate of [...PASSING, ...BUGS]) {
      assert.deepEqual(await statusesAt(LIMITS, sqlstate), [200, 201], `limits ${sqlstate}`);
    }
    assert.deepEqual(await statusesAt(LISTEN, "42501"), [200, 201], "LISTEN");
  });

  it("what reads the log goes on with what it has", async () => {
    for (const sqlstate of PASSING) {
      way.fail(LOG, sqlstate);
      await requireReading(sqlstate);
    }
    way.heal();
  });

  it("connections that are refused are answered 503", async () => {
    for (const sqlstate of AT_CONNECTING) {
      assert.deepEqual(await statusesAt("connect", sqlstate), [503, 503], sqlstate);
      await found(async () => ((await post()).status === 201 ? true : undefined));
    }
  });

  it("each kind is logged a few times, however often it is met", () => {
    const faults = api.app.logged
      .map((line) => JSON.parse(line))
      .filter(({ level, msg }) => level >= 40 && msg !== "A request failed");
    const messages = faults.map(({ msg }) => msg);
    for (const msg of new Set(messages)) {
      const times = messages.filter((one) => one === msg).length;
      assert(times <= AT_CONNECTING.length + 5, `${msg}: ${times} times`);
    }
    assert(messages.some((msg) => /^The database is not in order/.test(msg)));
    assert(messages.some((msg) => /^The disk of the database is full/.test(msg)));
  });
});
