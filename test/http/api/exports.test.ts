import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../../src/app/store.ts";
import { createStarterSite } from "../../../src/content/site/starter-site.ts";
import { unpackZip } from "../../../src/files/zip-unpacking.ts";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";
import { endedJob } from "../../support/ended-job.ts";
import { fixtureConfig } from "../../support/fixture-config.ts";
import { png } from "../../support/media-bytes.ts";
import { sendTo } from "../../support/send-to.ts";

const ZIP_HEADERS = {
  "Content-Type": "application/zip",
  "Content-Disposition": 'attachment; filename="export.zip"',
};
/** Before everything on the fixture site. */
const SET_UP = new Date("2026-01-01T00:00:00Z");
/** The moment at which a form was sent to the visitor. */
const OPENED = /<input type="hidden" name="opened" value="[\w.-]+">/g;

async function exported(client: ApiClient): Promise<Uint8Array> {
  const started = await client.request("POST", "/exports");
  const early = await client.request("GET", `/jobs/${started.body.id}/result`);
  assert.equal(early.status, 409);
  assert.match(early.body.detail, /^There is nothing to fetch: the export is (queued|running)$/);
  const job = await endedJob(client, started);
  assert.equal(job.state, "done", job.error);
  assert.equal(job.progress.done, job.progress.total);
  const headers = { Authorization: `Bearer ${client.key}` };
  const result = await sendTo(client.app.http, `/api/v1/jobs/${job.id}/result`, { headers });
  assert.equal(result.status, 200);
  assert.equal(result.headers.get("content-type"), "application/zip");
  return new Uint8Array(await result.arrayBuffer());
}

/** A site with its first pages only. */
async function openNewSite(folder: string): Promise<ApiClient> {
  const config = fixtureConfig(join(folder, "data"), null);
  const seed = async (content: Parameters<typeof createStarterSite>[0]) =>
    await createStarterSite(content, SET_UP);
  await (await openRecordForCommand(config, seed)).close();
  const { dataDir } = config;
  return await openApiClient({ folder, engine: "SQLite", config: { dataDir } });
}

/** Creates drafts and publishes them in the opposite order, with a published item in between. */
async function publishLater(client: ApiClient): Promise<void> {
  const create = async (title: string, status: string): Promise<string> => {
    const body = { type: "topic", title, status };
    const { body: created, text } = await client.request("POST", "/content", { body });
    assert(created.id, text);
    return created.id;
  };
  const drafts = [await create("One", "draft"), await create("Two", "draft")];
  await create("Three", "published");
  for (const id of drafts.toReversed()) {
    const headers = { "If-Match": "*" };
    const published = await client.request("POST", `/content/${id}/publish`, { headers });
    assert.equal(published.status, 200, published.text);
  }
}

async function importedZip(client: ApiClient, zip: Uint8Array) {
  const started = await client.request("POST", "/imports", { body: zip, headers: ZIP_HEADERS });
  const { state, error, report } = await endedJob(client, started);
  assert.deepEqual([state, error, report.problems], ["done", null, []]);
  return report;
}

/**
 * Lists of everything. Their lines are compared in any order, since everything on the fixture site was made at
 * the same time.
 */
const LISTS: readonly string[] = ["/llms.txt", "/sitemap.xml"];

/**
 * Adds a picture, redirects and pages that are gone.
 *
 * @returns addresses that the sitemap lacks.
 */
async function fill(client: ApiClient): Promise<string[]> {
  const headers = { "Content-Type": "image/png" };
  const added = await client.request("POST", "/media?name=dot.png", { body: png(2, 2), headers });
  const picture = added.body.path;
  const pages = [
    { title: "Shown", path: "/topics/shown", body: `![A dot](${picture})` },
    { title: "Deleted", path: "/topics/deleted", redirectFrom: ["/old/deleted"] },
    { title: "Moved", path: "/topics/moved" },
  ];
  for (const page of pages) {
    const body = { type: "topic", status: "published", ...page };
    assert.equal((await client.request("POST", "/content", { body })).status, 201);
  }
  await client.request("POST", "/redirects", { body: { from: "/old/*", to: "/topics/:splat" } });
  await client.request("POST", "/redirects", { body: { from: "/50%25", to: "https://a.example" } });
  await change(client, "PATCH", "/topics/moved", { path: "/topics/there" });
  for (const path of ["/topics/deleted", "/privacy"]) await change(client, "DELETE", path);
  return [
    ...[picture, "/old/deleted", "/old/shown", "/50%25", "/topics/moved", "/topics/deleted"],
    ...["/privacy", "/imprint", ...LISTS],
  ];
}

async function change(client: ApiClient, method: string, path: string, body?: object) {
  const { items } = (await client.request("GET", `/content?path=${path}`)).body;
  const options = { headers: { "If-Match": "*" }, ...(body === undefined ? {} : { body }) };
  const changed = await client.request(method, `/content/${items[0].id}`, options);
  assert.equal(changed.status, 200, changed.text);
}

async function answersOf(
  { app }: ApiClient,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const sitemap = await (await app.get("/sitemap.xml")).text();
  const pages = [...sitemap.matchAll(/<loc>https:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, at]) => at);
  const listed = pages.flatMap((page = "") => [
    page || "/",
    page === "" ? "/index.md" : `${page}.md`,
  ]);
  const answers = new Map<string, string>();
  for (const path of [...paths, ...listed]) {
    const answer = await app.get(path);
    const written = (await answer.text()).replaceAll(OPENED, "");
    const text = LISTS.includes(path) ? written.split("\n").sort().join("\n") : written;
    answers.set(path, `${answer.status} ${answer.headers.get("location")} ${text}`);
  }
  return answers;
}

describe("an export", () => {
  it("is one ZIP of the whole site, from which a new site answers every address alike", async () => {
    await using one = await openApiClient();
    const paths = await fill(one);
    const zip = await exported(one);
    const folder = mkdtempSync(join(tmpdir(), "commonplace-export-"));
    try {
      await using other = await openNewSite(folder);
      await importedZip(other, zip);
      const before = await answersOf(one, paths);
      assert(before.size > 100, String(before.size));
      assert.deepEqual(await answersOf(other, paths), before);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const { created, updated, failed } = await importedZip(one, zip);
    assert.deepEqual([created, updated, failed], [0, 0, 0]);
  });

  it("keeps the order of lists, also where items were drafts first", async () => {
    const folders = ["one", "other"].map((name) =>
      mkdtempSync(join(tmpdir(), `commonplace-${name}-`)),
    );
    const [first = "", second = ""] = folders;
    try {
      await using one = await openNewSite(first);
      await using other = await openNewSite(second);
      await publishLater(one);
      await importedZip(other, await exported(one));
      for (const path of [...LISTS, "/feed.atom", "/feed.json", "/topics", "/topics/llms.txt"]) {
        const [before, after] = await Promise.all([one.app.get(path), other.app.get(path)]);
        assert.equal(await after.text(), await before.text(), path);
      }
      const sitemap = await (await other.app.get("/sitemap.xml")).text();
      const names = sitemap.match(/(?<=\/topics\/)(?:one|two|three)(?=<)/g);
      assert.deepEqual(names, ["three", "two", "one"]);
    } finally {
      for (const folder of folders) rmSync(folder, { recursive: true });
    }
  });

  it("has the settings and the content, and nothing secret", async () => {
    await using client = await openApiClient();
    await fill(client);
    const folder = mkdtempSync(join(tmpdir(), "commonplace-export-"));
    try {
      writeFileSync(join(folder, "site.zip"), await exported(client));
      const site = join(folder, "site");
      mkdirSync(site);
      await unpackZip(join(folder, "site.zip"), site);
      const names = globSync("**/*.*", { cwd: site }).sort();
      assert.equal(names.filter((name) => /^media\/[0-9a-f]{32}\.png$/.test(name)).length, 1);
      assert.deepEqual(
        names.filter((name) => !name.startsWith("media/")),
        ["content/items.jsonl", "media.jsonl", "redirects.csv", "site.yaml", "types/event.yaml"],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
