import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { claimStagingPath } from "../../../src/files/staging.ts";
import { openJobFolder } from "../../../src/storage/jobs/job-folder.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { type Browser, openPeopleSite } from "../../support/people.ts";
import { sendTo } from "../../support/send-to.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());
const anna = await site.person("anna@example.org", "manager");
const JOBS = join(site.app.dataDir, "jobs");
const MEGABYTE = Buffer.alloc(1024 * 1024, "a line of a table\n");

interface Sending {
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
}

async function send(
  { cookies }: Browser,
  { pieces, headers }: Sending,
): Promise<{ status: number; text: string; location: string }> {
  const answer = await sendTo(site.app.http, "/admin/jobs/import", {
    method: "POST",
    headers: {
      "Content-Type": "multipart/form-data; boundary=edge",
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      Origin: ORIGIN,
      Referer: `${ORIGIN}/admin/jobs`,
      "Sec-Fetch-Site": "same-origin",
      "Sec-Fetch-Mode": "navigate",
      ...headers,
    },
    body: ReadableStream.from(pieces),
  });
  const location = answer.headers.get("location") ?? "";
  return { status: answer.status, text: await answer.text(), location };
}

async function tokenOf(browser: Browser): Promise<string> {
  return / name="token" value="([^"]+)"/.exec((await browser.get("/admin/jobs")).text)?.[1] ?? "";
}

/** The form up to the file's first byte. */
function start(token: string, name: string): Buffer {
  return Buffer.from(
    `--edge\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`,
  );
}

const END = Buffer.from("\r\n--edge--\r\n");

async function jobs(): Promise<number> {
  return (
    (await site.app.sql("SELECT COUNT(*) AS count FROM jobs")).map(({ count }) =>
      Number(count),
    )[0] ?? 0
  );
}

describe("a large file sent by the form for imports", () => {
  it("is taken in as it arrives, readable by its owner alone", async () => {
    const token = await tokenOf(anna);
    let written = 0;
    const pieces = async function* () {
      yield start(token, "long.csv");
      yield Buffer.from("title,summary\n");
      for (let at = 0; at < 30; at += 1) yield MEGABYTE;
      const [arriving = ""] = readdirSync(JOBS).filter((name) => /^arriving-[^.]+$/.test(name));
      written = statSync(join(JOBS, arriving)).size;
      assert.equal(statSync(join(JOBS, arriving)).mode & 0o777, 0o600);
      yield END;
    };
    const { status, text, location } = await send(anna, { pieces: pieces() });
    assert.equal(status, 303, text);
    assert.ok(written > 25 * MEGABYTE.length, `${written} bytes were on disk before the end`);
    const id = location.split("/").at(-1);
    const [input = ""] = readdirSync(JOBS).filter((name) => name.startsWith(id ?? "-"));
    assert.equal(statSync(join(JOBS, input)).size, 30 * MEGABYTE.length + 14);
    assert.equal(statSync(join(JOBS, input)).mode & 0o777, 0o600);
  });

  for (const [what, last, fault] of [
    ["breaks off", "error", /broke off before its end; send it again/],
    ["ends without its last boundary", "end", /ends early or is not well-formed/],
  ] as const) {
    it(`leaves nothing when it ${what}`, async () => {
      const [before, known] = [readdirSync(JOBS), await jobs()];
      const token = await tokenOf(anna);
      const pieces = async function* () {
        yield start(token, "a.csv");
        yield MEGABYTE;
        yield MEGABYTE;
        if (last === "error") throw new Error("reset");
      };
      const { status, text } = await send(anna, { pieces: pieces() });
      assert.equal(status, 400);
      assert.match(text, fault);
      assert.deepEqual(readdirSync(JOBS), before);
      assert.equal(await jobs(), known);
    });
  }

  it("is refused by what it states, before it is read, in the language of the screen", async () => {
    const token = await tokenOf(anna);
    for (const [name, language, bytes, fault] of [
      ["a.zip", "en", 2 * 1024 ** 3, /The file is larger than 1 GB; split it/],
      ["a.csv", "de", 80 * 1024 ** 2, /Die Tabelle ist größer als 64 MB: Teilen Sie sie auf/],
    ] as const) {
      let read = 0;
      const pieces = async function* () {
        yield start(token, name);
        for (; read < 80; read += 1) yield MEGABYTE;
      };
      const headers = { "Content-Length": String(bytes), "Accept-Language": language };
      const { status, text } = await send(anna, { pieces: pieces(), headers });
      assert.equal(status, 413);
      assert.match(text, fault);
      assert.match(text, / type="file"/, "the form is shown again");
      assert.ok(read < 5, `${read} MB were read`);
    }
  });

  it("is not read for another session's form, nor for a person who may not import", async () => {
    const berta = await site.person("berta@example.org", "contributor");
    for (const [browser, token] of [
      [anna, "wrong"],
      [berta, await tokenOf(anna)],
    ] as const) {
      let read = 0;
      const pieces = async function* () {
        yield start(token, "a.csv");
        for (; read < 80; read += 1) yield MEGABYTE;
      };
      const { status } = await send(browser, { pieces: pieces() });
      assert.equal(status, 403);
      assert.ok(read < 5, `${read} MB were read`);
    }
  });

  it("says what is wrong with a form that no page sends", async () => {
    const token = await tokenOf(anna);
    const whole = start(token, "a.csv").toString();
    for (const [form, status, fault] of [
      ["no form at all", 403, /belongs to another session/],
      [whole.replace('name="file"', "name=file"), 400, /not well-formed/],
      [whole.replace("\r\n--edge\r\n", "\r\n--edge--\r\n"), 400, /No file was sent; choose one/],
      [whole.replace('"a.csv"', '""'), 400, /No file was sent; choose one/],
      [`--edge\r\n${"x".repeat(20_000)}`, 400, /not well-formed/],
      [whole.replace(token, "x".repeat(100_000)), 413, /fields before the file are longer/],
    ] as const) {
      const answer = await send(anna, { pieces: [Buffer.from(form), END] });
      assert.equal(answer.status, status, form.slice(0, 100));
      assert.match(answer.text, fault);
    }
    const headers = { "Content-Type": "multipart/form-data" };
    const { status, text } = await send(anna, { pieces: [END], headers });
    assert.equal(status, 400);
    assert.match(text, /not well-formed/);
  });
});

it("removes what a killed server was receiving, and nothing that still arrives", async () => {
  const folder = join(site.app.dataDir, "other-jobs");
  mkdirSync(folder);
  await using arriving = await claimStagingPath(folder, "arriving-");
  writeFileSync(arriving.path, "some");
  const abandoned = join(folder, `arriving-${crypto.randomUUID()}`);
  writeFileSync(abandoned, "some");
  writeFileSync(`${abandoned}.lock`, "");
  await openJobFolder(folder).clearAbandoned();
  const kept = readdirSync(folder).map((name) => join(folder, name));
  assert.deepEqual(kept, [arriving.path, `${arriving.path}.lock`]);
});
