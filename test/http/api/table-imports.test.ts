import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import {
  type ApiAnswer,
  type ApiClient,
  type Loose,
  openApiClient,
} from "../../support/api-client.ts";
import { found } from "../../support/until.ts";
import { workbookOf, zipOf } from "../../support/workbook-bytes.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SAYINGS = "Spruch,Wer,Wo\nEin Satz,Seneca,Rom\nNoch einer,Ovid,Tomi\nNoch einer,Ovid,Tomi\n";

const shared = await openApiClient();
after(() => shared[Symbol.asyncDispose]());

async function send(
  client: ApiClient,
  body: string | Buffer,
  { query = "", type = "text/csv", name = "sayings.csv", key = client.key } = {},
): Promise<ApiAnswer> {
  const headers = {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  };
  return await client.request("POST", `/imports${query}`, { body, headers, key });
}

/** The job once it has ended. */
async function ended(client: ApiClient, started: ApiAnswer): Promise<Loose> {
  assert.equal(started.status, 202, started.text);
  const path = (started.headers.get("location") ?? "").replace("/api/v1", "");
  return await found(async () => {
    const { body } = await client.request("GET", path);
    return body.endedAt === null ? undefined : body;
  });
}

function countsOf({ report }: Loose): unknown[] {
  return [report.created, report.updated, report.unchanged, report.failed];
}

/** A small workbook whose cells all refer to one long text. */
function repeatedText(): Buffer {
  const part = (name: string, xml: string) => ({ name: `xl/${name}`, bytes: Buffer.from(xml) });
  const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(100);
  return zipOf([
    part("workbook.xml", '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'),
    part(
      "_rels/workbook.xml.rels",
      '<R><Relationship Id="r1" Target="worksheets/sheet1.xml"/></R>',
    ),
    part("sharedStrings.xml", `<sst><si><t>${"x".repeat(4_000_000)}</t></si></sst>`),
    part("worksheets/sheet1.xml", `<worksheet><sheetData>${rows}</sheetData></worksheet>`),
  ]);
}

describe("a table sent to the interface", () => {
  it("is tried with a guessed mapping, corrected, and imported from the same upload", async () => {
    await using client = await openApiClient();
    const tried = await ended(client, await send(client, SAYINGS, { query: "?dryRun=true" }));
    assert.equal(tried.state, "done", tried.error);
    const places = (job: Loose) =>
      job.report.table.columns.map(({ column, place }: Loose) => [column, place]);
    assert.deepEqual(
      places(tried).map(([column]: string[]) => column),
      ["Spruch", "Wer", "Wo"],
    );
    const body = {
      type: "quotation",
      columns: { Spruch: "body", Wer: "authors", Wo: "-" },
      dryRun: true,
    };
    const repeat = async (id: string, choices: object) =>
      await client.request("POST", `/jobs/${id}/repeat`, { body: choices });
    const corrected = await ended(client, await repeat(tried.id, body));
    assert.deepEqual(places(corrected), Object.entries(body.columns));
    assert.deepEqual(countsOf(corrected), [4, 0, 0, 0]);
    const [skipped] = corrected.report.problems;
    assert.deepEqual(skipped, {
      ...{ line: 4, field: "", message: "is the same as line 3; skipped", severity: "warning" },
    });
    const { path } = corrected.report.items.at(-1);
    assert.equal((await client.app.get(path)).status, 404);
    const published = { ...body, dryRun: false, status: "published" };
    const done = await ended(client, await repeat(corrected.id, published));
    assert.deepEqual(countsOf(done), [4, 0, 0, 0]);
    assert.deepEqual(done.report.items, corrected.report.items);
    assert.deepEqual(done.report.items.at(-1).outcome, "created");
    assert.equal((await client.app.get(path)).status, 200);
    const again = await ended(client, await send(client, SAYINGS));
    assert.deepEqual([...countsOf(again), again.report.table.isKnown], [0, 0, 2, 0, true]);
    const gone = await ended(client, await repeat(done.id, body));
    assert.deepEqual(
      [gone.state, gone.error],
      ["failed", "The file of this import no longer exists; send it again"],
    );
  });

  it("may be a workbook, of which a sheet is named, and states its mapping at once", async () => {
    const bytes = workbookOf([
      { name: "Notes", rows: [["nothing"], ["of use"]] },
      {
        name: "Pages",
        rows: [
          ["Title", "Text"],
          ["A title", "A long text about it"],
        ],
      },
    ]);
    const columns = encodeURIComponent(JSON.stringify({ Title: "title", Text: "summary" }));
    const query = `?sheet=Pages&type=page&columns=${columns}&status=draft`;
    const job = await ended(
      shared,
      await send(shared, bytes, { query, type: XLSX, name: "t.xlsx" }),
    );
    assert.equal(job.state, "done", job.error);
    assert.deepEqual(job.report.table.sheets, ["Notes", "Pages"]);
    assert.deepEqual(job.report.items, [
      { line: 2, outcome: "created", title: "A title", path: "/a-title" },
    ]);
    assert.deepEqual(job.progress, { done: 1, total: 1 });
    const { body } = await shared.request("GET", "/jobs");
    assert.equal(body.items[0].report.items, undefined);
  });

  it("reports rows that cannot be saved with their place and reason, and takes in the rest", async () => {
    const table = "title,body,path\nFirst,Text,/one-row\n,,/two-row\nThird,Text,/admin/x\n";
    const job = await ended(shared, await send(shared, table, { query: "?dryRun=true&type=page" }));
    assert.deepEqual(countsOf(job), [1, 0, 0, 2]);
    assert.deepEqual(
      job.report.problems.map(({ line, field }: Loose) => [line, field]),
      [
        [3, ""],
        [4, "path"],
      ],
    );
  });

  it("is refused where it would cost too much, or is no table", async () => {
    const workbook = { name: "xl/workbook.xml", bytes: Buffer.from("<workbook/>") };
    const bomb = zipOf([{ ...workbook, claims: 300 * 1024 * 1024 }]);
    const files: readonly [string | Buffer, RegExp][] = [
      [`title\n"${"x".repeat(5_000_000)}`, /^Line 2 is longer than 4 million characters/],
      [`${"a,".repeat(1000)}b\n`, /^Line 1 has more than 500 cells/],
      [`title\n${"a\n".repeat(100_001)}`, /^The table has more than 100000 rows/],
      [repeatedText(), /^The table has more than 100000 rows or 256 million/],
      [bomb, /^Cannot read the workbook: it unpacks to more than 256 MiB/],
      [Buffer.from("d0cf11e0a1b11ae1", "hex"), /is a spreadsheet in an older format/],
      ["", /has no rows$/],
    ];
    for (const [bytes, told] of files) {
      const job = await ended(shared, await send(shared, bytes, { query: "?dryRun=true" }));
      assert.deepEqual([job.state, job.report?.created ?? 0], ["failed", 0]);
      assert.match(job.error, told);
    }
  });

  it("keeps how it was read when the mapping does not fit, so that it can be corrected", async () => {
    const columns = encodeURIComponent(JSON.stringify({ Wo: "nowhere" }));
    const query = `?dryRun=true&type=page&columns=${columns}`;
    const job = await ended(shared, await send(shared, SAYINGS, { query }));
    assert.match(job.error, /Pages have no place "nowhere"; use one of/);
    assert.equal(job.report.table.columns[2].place, "nowhere");
    const unknown = encodeURIComponent(JSON.stringify({ Was: "title" }));
    const other = await ended(
      shared,
      await send(shared, SAYINGS, { query: `?columns=${unknown}` }),
    );
    assert.match(other.error, /^The table has no column "Was"; it has "Spruch", "Wer", "Wo"/);
  });

  it("is refused with a reason when the request is wrong", async () => {
    const lines = { "Content-Type": "application/x-ndjson" };
    const typed = await shared.request("POST", "/imports?type=page", { body: "", headers: lines });
    assert.match(typed.body.detail, /type, sheet and columns are for tables/);
    const broken = await send(shared, SAYINGS, { query: "?columns=[" });
    assert.match(broken.body.detail, /columns: must be a JSON object of places by column/);
    const started = await shared.request("POST", "/imports", { body: "", headers: lines });
    const job = await ended(shared, started);
    const repeated = await shared.request("POST", `/jobs/${job.id}/repeat`, { body: {} });
    assert.equal(repeated.status, 409);
    assert.match(repeated.body.detail, /only imports of tables are repeated/);
    const bare = await shared.issue("transfer:run");
    const refused = await send(shared, SAYINGS, { key: bare });
    assert.equal(refused.body.detail, "This key lacks the scope content:write");
  });
});
