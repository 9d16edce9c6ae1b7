import assert from "node:assert/strict";
import { existsSync, mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, it } from "node:test";
import {
  type ApiAnswer,
  type ApiClient,
  type Loose,
  openApiClient,
} from "../../support/api-client.ts";
import { endedJob } from "../../support/ended-job.ts";
import { sendTo } from "../../support/send-to.ts";
import { paragraph, wordOf } from "../../support/word-bytes.ts";
import { wordPressExport } from "../../support/wordpress-export.ts";
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
  it("is refused by its stated length before it is read", async () => {
    let read = 0;
    const pieces = async function* () {
      for (; read < 80; read += 1) yield Buffer.alloc(1024 * 1024);
    };
    const answer = await sendTo(shared.app.http, "/api/v1/imports", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${shared.key}`,
        "Content-Type": "text/csv",
        "Content-Disposition": 'attachment; filename="a.csv"',
        "Content-Length": String(65 * 1024 * 1024),
      },
      body: ReadableStream.from(pieces()),
    });
    assert.equal(answer.status, 413);
    assert.match(await answer.text(), /The table is larger than 64 MB; split it/);
    assert.ok(read < 5, `${read} MB were read`);
  });

  it("is tried with a guessed mapping, corrected, and imported from the same upload", async () => {
    await using client = await openApiClient();
    const tried = await endedJob(client, await send(client, SAYINGS, { query: "?dryRun=true" }));
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
    const corrected = await endedJob(client, await repeat(tried.id, body));
    assert.deepEqual(places(corrected), Object.entries(body.columns));
    assert.deepEqual(countsOf(corrected), [4, 0, 0, 0]);
    const [skipped] = corrected.report.problems;
    assert.deepEqual(skipped, {
      ...{ line: 4, field: "", message: "is the same as line 3; skipped", severity: "warning" },
    });
    const { path } = corrected.report.items.at(-1);
    assert.equal((await client.app.get(path)).status, 404);
    const published = { ...body, dryRun: false, status: "published" };
    const done = await endedJob(client, await repeat(corrected.id, published));
    assert.deepEqual(countsOf(done), [4, 0, 0, 0]);
    assert.deepEqual(done.report.items, corrected.report.items);
    assert.deepEqual(done.report.items.at(-1).outcome, "created");
    assert.equal((await client.app.get(path)).status, 200);
    const again = await endedJob(client, await send(client, SAYINGS));
    assert.deepEqual([...countsOf(again), again.report.table.isKnown], [0, 0, 2, 0, true]);
    const gone = await endedJob(client, await repeat(done.id, body));
    assert.deepEqual(
      [gone.state, gone.error],
      ["failed", "The file of this import no longer exists; send it again"],
    );
  });

  it("is unchanged when it comes again by a key that may not publish, but for rows that differ", async () => {
    await using client = await openApiClient();
    const query = "?status=published&type=quotation";
    const columns = { Spruch: "body", Wer: "authors", Wo: "-" };
    const mapped = (place: string) =>
      `${place}&columns=${encodeURIComponent(JSON.stringify(columns))}`;
    const first = await endedJob(client, await send(client, SAYINGS, { query: mapped(query) }));
    assert.deepEqual(countsOf(first), [4, 0, 0, 0]);
    const key = await client.issue("transfer:run", "content:write");
    const again = await endedJob(client, await send(client, SAYINGS, { key }));
    assert.deepEqual([...countsOf(again), again.report.problems.length], [0, 0, 2, 0, 1]);
    const other = SAYINGS.replace("Ein Satz,Seneca", "Ein Satz,Ovid");
    const changed = await endedJob(client, await send(client, other, { key }));
    assert.deepEqual(countsOf(changed), [0, 0, 1, 1], JSON.stringify(changed.report.problems));
    assert.equal(
      changed.report.problems.at(-1).message,
      "This key lacks the scope content:publish",
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
    const job = await endedJob(
      shared,
      await send(shared, bytes, { query, type: XLSX, name: "t.xlsx" }),
    );
    assert.equal(job.state, "done", job.error);
    assert.deepEqual(job.report.table.sheets, ["Notes", "Pages"]);
    assert.deepEqual(job.report.items, [
      { line: 2, outcome: "created", title: "A title", path: "/a-title", type: "page" },
    ]);
    assert.deepEqual(job.progress, { done: 1, total: 1 });
    const { body } = await shared.request("GET", "/jobs");
    assert.equal(body.items[0].report.items, undefined);
  });

  it("reports rows that cannot be saved with their place and reason, and takes in the rest", async () => {
    const table = "title,body,path\nFirst,Text,/one-row\n,,/two-row\nThird,Text,/admin/x\n";
    const job = await endedJob(
      shared,
      await send(shared, table, { query: "?dryRun=true&type=page" }),
    );
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
    const entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><workbook>&a;</workbook>';
    const declaring = { name: "xl/workbook.xml", bytes: Buffer.from(entity) };
    const files: readonly [string | Buffer, RegExp][] = [
      [`title\n"${"x".repeat(5_000_000)}`, /^Line 2 is longer than 4 million characters/],
      [`${"a,".repeat(1000)}b\n`, /^Line 1 has more than 500 cells/],
      [`title\n${"a\n".repeat(100_001)}`, /^The table has more than 100000 rows/],
      [repeatedText(), /^The table has more than 100000 rows or 256 million/],
      [zipOf([declaring]), /^Cannot read the workbook: it has a document type/],
      [bomb, /^Cannot read the workbook: it unpacks to more than 256 MiB/],
      [Buffer.from("d0cf11e0a1b11ae1", "hex"), /is a spreadsheet in an older format/],
      ["", /has no rows$/],
    ];
    for (const [bytes, told] of files) {
      const job = await endedJob(shared, await send(shared, bytes, { query: "?dryRun=true" }));
      assert.deepEqual([job.state, job.report?.created ?? 0], ["failed", 0]);
      assert.match(job.error, told);
    }
  });

  it("keeps how it was read when the mapping does not fit, so that it can be corrected", async () => {
    const columns = encodeURIComponent(JSON.stringify({ Wo: "nowhere" }));
    const query = `?dryRun=true&type=page&columns=${columns}`;
    const job = await endedJob(shared, await send(shared, SAYINGS, { query }));
    assert.match(job.error, /Pages have no place "nowhere"; use one of/);
    assert.equal(job.report.table.columns[2].place, "nowhere");
    const unknown = encodeURIComponent(JSON.stringify({ Was: "title" }));
    const other = await endedJob(
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
    await endedJob(shared, started);
    const exported = await endedJob(shared, await shared.request("POST", "/exports"));
    const repeated = await shared.request("POST", `/jobs/${exported.id}/repeat`, { body: {} });
    assert.equal(repeated.status, 409);
    assert.match(repeated.body.detail, /only imports are repeated/);
    const bare = await shared.issue("transfer:run");
    const refused = await send(shared, SAYINGS, { key: bare });
    assert.equal(refused.body.detail, "This key lacks the scope content:write");
  });
});

describe("a file of another kind sent to the interface", () => {
  const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const trying = async (body: string | Buffer, type: string, name: string) =>
    await endedJob(shared, await send(shared, body, { query: "?dryRun=true", type, name }));
  const titles = ({ report }: Loose) =>
    report.items.map(({ title, outcome }: Loose) => `${title}: ${outcome}`);

  it("is read as the command line reads it", async () => {
    const document = wordOf({ body: paragraph("What was decided.") });
    const minutes = await trying(document, DOCX, "The minutes.docx");
    assert.deepEqual(titles(minutes), ["The minutes: created"], minutes.error);
    const book = "@book{a, title = {A book of trees}, author = {Oak, Ada}, year = 1901}";
    const works = await trying(book, "application/x-bibtex", "books");
    assert.deepEqual(titles(works), ["Ada Oak: created", "A book of trees: created"], works.error);
    const exported = wordPressExport([{ id: 1, title: "Hello", content: "Text" }]);
    const posts = await trying(exported, "text/xml", "society.xml");
    assert.ok(titles(posts).includes("Hello: created"), posts.error);
    assert.ok(posts.report.notes.some((note: string) => note.startsWith('The type "news"')));
    const meta = { exported_on: 1, version: "5.80.0" };
    const post = { id: "a", slug: "hi", title: "Hi", html: "<p>Hi</p>", status: "published" };
    const ghost = JSON.stringify({ db: [{ meta, data: { posts: [post] } }] });
    const ghostPosts = await trying(ghost, "application/octet-stream", "society.ghost.json");
    assert.ok(titles(ghostPosts).includes("Hi: created"), ghostPosts.error);
    const lists = "/old-trees /about 301\n/old-oaks /nowhere-to-be-found 301\n";
    const redirects = await trying(lists, "text/plain", "_redirects");
    assert.deepEqual(redirects.report.redirects, {
      ...{ created: 1, unchanged: 0, skipped: 0, failed: 1 },
    });
    const [lost] = redirects.report.problems;
    assert.deepEqual([lost.file, lost.line], ["_redirects", 2]);
  });

  it("may be a ZIP, whose files are named in the report, and is imported from the same upload", async () => {
    const page = (title: string, more = "") => Buffer.from(`---\ntitle: ${title}\n---\n${more}`);
    const folder = zipOf([
      { name: "notes/one-note.md", bytes: page("One note", "[Two](two-notes.md)\n") },
      { name: "notes/two-notes.md", bytes: page("Two notes") },
      { name: "notes/broken.md", bytes: Buffer.from("---\ntitle: [\n---\n") },
    ]);
    const tried = await trying(folder, "application/zip", "notes.zip");
    assert.deepEqual(countsOf(tried), [2, 0, 0, 1], tried.error);
    assert.equal(tried.report.problems[0].file, "notes.zip/notes/broken.md");
    const done = await endedJob(
      shared,
      await shared.request("POST", `/jobs/${tried.id}/repeat`, { body: { status: "published" } }),
    );
    assert.deepEqual(done.report.items, tried.report.items);
    assert.equal((await shared.app.get("/one-note")).status, 200);
  });

  it("is read where the data folder is given as a relative path, as it is by default", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-"));
    const dataDir = relative(process.cwd(), folder.path);
    await using client = await openApiClient({ config: { dataDir } });
    const zip = zipOf([{ name: "spring.md", bytes: Buffer.from("# Spring\n\nIt is here.") }]);
    const sent = await send(client, zip, { type: "application/zip", name: "site.zip" });
    const job = await endedJob(client, sent);
    assert.deepEqual([job.state, countsOf(job)], ["done", [1, 0, 0, 0]], job.error);
  });

  it("has posts that become news if the key may change the types of the site, else pages", async () => {
    await using client = await openApiClient();
    const [type, name] = ["application/zip", "old.zip"];
    const folderWith = (post: string) =>
      zipOf([
        { name: "_config.yml", bytes: Buffer.from("permalink: pretty\n") },
        {
          name: `_posts/2024-02-01-${post}.md`,
          bytes: Buffer.from("---\ntitle: A post\n---\nText"),
        },
      ]);
    const writer = await client.issue(
      "transfer:run",
      "content:write",
      "content:publish",
      "media:write",
    );
    const query = "?status=published";
    for (const [post, key, kind] of [
      ["page", writer, "page"],
      ["news", client.key, "news"],
      ["later", writer, "news"],
    ] as const) {
      const sent = await send(client, folderWith(post), { type, name, key, query });
      const { report, error } = await endedJob(client, sent);
      assert.deepEqual(report?.problems, [], error);
      const [item] = report.items;
      assert.deepEqual([item.type, item.path], [kind, `/2024/02/01/${post}`]);
    }
    assert.match(await (await client.app.get("/news")).text(), /href="\/2024\/02\/01\/later"/);
  });

  it("is refused with a reason if it is nothing that can be imported", async () => {
    const unknown = await trying("?", "application/octet-stream", "notes.rtf");
    assert.match(unknown.error, /^Cannot import notes\.rtf: give a folder/);
    const damaged = await trying("no zip", "application/zip", "notes.zip");
    assert.match(damaged.error, /^Cannot unpack notes\.zip: /);
    const broken = await trying("no document", DOCX, "minutes.docx");
    assert.match(broken.report.problems[0].message, /^Cannot read the Word document: /);
    const writer = await shared.issue("transfer:run", "content:write", "content:publish");
    const [type, name] = ["application/zip", "notes.zip"];
    const refused = await send(shared, "", { type, name, key: writer });
    assert.equal(refused.body.detail, "This key lacks the scope media:write");
  });
});

describe("several files sent together", () => {
  const sendTogether = async (files: readonly File[], query = "", key = shared.key) => {
    const form = new FormData();
    for (const file of files) form.append("file", file);
    const encoded = new Response(form);
    const headers = { "Content-Type": encoded.headers.get("content-type") ?? "" };
    const body = Buffer.from(await encoded.arrayBuffer());
    return await shared.request("POST", `/imports${query}`, { body, headers, key });
  };
  const letter = (title: string) =>
    new File(
      [new Uint8Array(wordOf({ body: paragraph(`${title} wrote this letter.`) }))],
      `${title}.docx`,
    );

  it("are imported as one folder, with one report, after a dry run", async () => {
    const files = [
      letter("Berta"),
      letter("Carl"),
      new File([], "empty.md"),
      new File(["---\ntitle: Reply\n---\n\nSee [Carl](Carl.md).\n"], "reply.md"),
      new File(["a,b\n1,2\n"], "numbers.csv"),
    ];
    const tried = await endedJob(shared, await sendTogether(files, "?dryRun=true"));
    assert.equal(tried.state, "done", tried.error);
    assert.equal(tried.options.file.name, "Berta.docx + 3.zip");
    assert.deepEqual(countsOf(tried), [3, 0, 0, 0]);
    assert.deepEqual(tried.report.items.map(({ file }: Loose) => file).sort(), [
      "Berta.docx",
      "Carl.docx",
      "reply.md",
    ]);
    assert.match(tried.report.leftOut[0].reason, /import each by itself.*numbers\.csv/);
    const body = { status: "published" };
    const repeated = await shared.request("POST", `/jobs/${tried.id}/repeat`, { body });
    assert.deepEqual(countsOf(await endedJob(shared, repeated)), [3, 0, 0, 0]);
    assert.match(await (await shared.app.get("/carl")).text(), /Carl wrote this letter/);
  });

  it("are one file if there is only one, so that a table is read as one", async () => {
    const one = [new File([], "empty.csv"), new File([SAYINGS], "more.csv")];
    const tried = await endedJob(shared, await sendTogether(one, "?dryRun=true"));
    assert.equal(tried.options.file.name, "more.csv");
    assert.equal(tried.report.table.rows, 3);
    const lines = new File(['{"type":"topic","title":"Rain","path":"/topics/rain"}'], "t.jsonl");
    const done = await endedJob(shared, await sendTogether([lines]));
    assert.deepEqual([countsOf(done), done.options.file], [[1, 0, 0, 0], undefined]);
  });

  it("are refused with fields that have long names instead of values", async () => {
    const form = new FormData();
    for (let at = 0; at < 40; at += 1) form.append(`${at}${"n".repeat(2000)}`, "");
    const encoded = new Response(form);
    const headers = { "Content-Type": encoded.headers.get("content-type") ?? "" };
    const body = Buffer.from(await encoded.arrayBuffer());
    const answer = await shared.request("POST", "/imports", { body, headers, key: shared.key });
    assert.equal(answer.status, 413, answer.text);
  });

  it("are refused, and not kept, if they do not fit in one folder", async () => {
    const page = new File(["# A"], "a.md");
    const zip = new File(["PK"], "b.zip");
    const refusals: [File[], RegExp][] = [
      [[], /No file was sent/],
      [[page, zip], /Cannot import b\.zip together with other files/],
      [[page, page], /two are named a\.md/],
      [[page, new File(["# B"], "..")], /cannot be the name of a file/],
      [
        [page, new File(["# B"], "b\u0001\u0085.md")],
        /Cannot import "b\ufffd\ufffd\.md": .*rename it/,
      ],
      [[new File([SAYINGS], "b\t.csv")], /Cannot import "b\ufffd\.csv": .*rename it/],
      [[new File(["# B"], `${"水".repeat(90)}.md`)], /rename it, .* at most 255 bytes/],
      [[new File([SAYINGS], `${shared.key}.csv`)], /a file whose name holds a secret: leave that/],
      [[page, new File(["# B"], `${shared.key}.md`)], /a file whose name holds a secret/],
      [Array.from({ length: 1001 }, (_, at) => new File(["# A"], `${at}.md`)), /More than 1000/],
    ];
    // With SQLite, received files are in a folder; PostgreSQL stores them in the database.
    const folder = join(shared.app.dataDir, "jobs");
    const inputs = () =>
      existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith(".zip")) : [];
    const before = inputs();
    for (const [files, message] of refusals) {
      const answer = await sendTogether(files);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.detail, message);
    }
    const lesser = await shared.issue("transfer:run", "content:write");
    const tables = [new File([SAYINGS], "a.csv"), page];
    assert.equal((await sendTogether(tables, "", lesser)).status, 403);
    assert.deepEqual(
      inputs().filter((name) => !before.includes(name)),
      [],
    );
  });
});
