import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openRecordForCommand } from "../../../src/app/store.ts";
import { createStarterSite } from "../../../src/content/site/starter-site.ts";
import { downloadByForm } from "../../support/download-by-form.ts";
import { fixtureConfig } from "../../support/fixture-config.ts";
import { type Browser, openPeopleSite, type PeopleSite } from "../../support/people.ts";
import { sendFiles } from "../../support/send-files.ts";
import { found } from "../../support/until.ts";

/** Before everything on the fixture site. */
const SET_UP = new Date("2026-01-01T00:00:00Z");

async function ended({ get }: Browser, address: string | null): Promise<string> {
  return await found(async () => {
    const { text } = await get(address ?? "");
    return text.includes('data-progress=""') ? text : undefined;
  });
}

/** The status and the Markdown of each public page. */
async function pagesOf({ app }: PeopleSite): Promise<Map<string, string>> {
  const sitemap = await (await app.get("/sitemap.xml")).text();
  const pages = new Map<string, string>();
  for (const [, path = ""] of sitemap.matchAll(/<loc>https:\/\/[^/]+([^<]*)<\/loc>/g)) {
    const answer = await app.get(path === "" ? "/index.md" : `${path}.md`);
    pages.set(path, `${answer.status} ${await answer.text()}`);
  }
  return pages;
}

it("a site exported by the form of one instance is imported whole by the form of another", async () => {
  await using one = await openPeopleSite();
  using folder = mkdtempDisposableSync(join(tmpdir(), "commonplace-form-"));
  const config = fixtureConfig(join(folder.path, "data"), null);
  const seed = async (content: Parameters<typeof createStarterSite>[0]) =>
    await createStarterSite(content, SET_UP);
  await (await openRecordForCommand(config, seed)).close();
  const { dataDir } = config;
  await using other = await openPeopleSite({
    ...{ folder: folder.path, engine: "SQLite", config: { dataDir } },
  });

  const anna = await one.person("anna@example.org", "owner");
  const job = (await anna.send("/admin/jobs/export")).location ?? "";
  assert.match(await ended(anna, job), /Download/);
  const answer = await downloadByForm(one, anna, { page: job, path: `${job}/result` });
  assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="export.zip"');
  const zip = new File([await answer.arrayBuffer()], "export.zip");

  const ida = await other.person("ida@example.org", "owner");
  const form = { page: "/admin/jobs", path: "/admin/jobs/import", files: [zip] };
  const tried = (await sendFiles(other, ida, form)).headers.get("location") ?? "";
  const dryRun = await ended(ida, tried);
  assert.match(dryRun, /What would be done/);
  assert.doesNotMatch(dryRun, /<h3>Problems/);
  const { location } = await ida.send(`${tried}/repeat`, { run: "true" });
  assert.match(await ended(ida, location), /What was done/);

  const before = await pagesOf(one);
  assert.ok(before.size > 50, String(before.size));
  assert.deepEqual(await pagesOf(other), before);
});
