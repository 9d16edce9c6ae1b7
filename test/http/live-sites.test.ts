import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../support/api-client.ts";
import { endedJob } from "../support/ended-job.ts";
import { type OldSite, oldPage, openOldSite } from "../support/old-site.ts";
import { type Browser, openPeopleSite, type Shown } from "../support/people.ts";
import { found } from "../support/until.ts";
import { openWordPress, society as wordPressSociety } from "../support/wordpress-rest.ts";

const NETWORK = { webhookPrivateNetworks: true };
const ROBOTS = { type: "text/plain", body: "User-agent: *\nDisallow: /private/\n" };

const api = await openApiClient({ config: NETWORK });
const site = await openPeopleSite({ config: NETWORK });
after(async () => {
  await api[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function openSociety(): Promise<OldSite> {
  return await openOldSite({
    "/robots.txt": ROBOTS,
    "/": oldPage("Home", '<p><a href="/rules">Rules</a> <a href="/private/x">Private</a></p>'),
    "/rules": { location: "/rules/" },
    "/rules/": oldPage("Rules", "<p>Members agree on rules.</p>"),
  });
}

async function endedPage({ get }: Browser, address: string | null): Promise<Shown> {
  return await found(async () => {
    const page = await get(address ?? "");
    return page.text.includes('data-progress=""') ? page : undefined;
  });
}

describe("a live site", () => {
  it("is copied as it allows, shown as a dry run, and imported from the copy alone", async () => {
    await using society = await openSociety();
    const body = { address: `${society.origin}/#top` };
    const tried = await endedJob(api, await api.request("POST", "/imports/site", { body }));
    assert.equal(tried.state, "done", tried.error);
    assert.deepEqual(tried.options.dryRun, true);
    assert.equal(tried.options.address, `${society.origin}/`);
    assert.deepEqual(tried.report.copied, { pages: 2, files: 0 });
    const outcomes = tried.report.items.map(
      ({ title, outcome }: { title: string; outcome: string }) => [title, outcome],
    );
    assert.ok(
      outcomes.some(([title, outcome]: string[]) => title === "Rules" && outcome === "created"),
    );
    assert.deepEqual(
      tried.report.leftOut.map(({ reason }: { reason: string }) => reason),
      ["robots.txt forbids it"],
    );
    assert.ok(!society.asked.includes("/private/x"));
    const asked = society.asked.length;
    assert.equal((await api.app.get("/rules")).status, 404, "nothing is changed yet");
    const repeat = { body: { status: "published" } };
    const done = await endedJob(api, await api.request("POST", `/jobs/${tried.id}/repeat`, repeat));
    assert.equal(done.state, "done", done.error);
    assert.equal(society.asked.length, asked, "the site is not asked again");
    const { status } = await api.app.get("/rules");
    assert.equal(status, 200);
  });

  it("is asked only for what has changed when it is checked again", async () => {
    await using society = await openSociety();
    const body = { address: society.origin };
    const once = await endedJob(api, await api.request("POST", "/imports/site", { body }));
    const again = await endedJob(api, await api.request("POST", "/imports/site", { body }));
    assert.deepEqual(again.report.items, once.report.items);
    assert.deepEqual(again.report.copied, once.report.copied);
  });

  it("made with WordPress is read through its interface, with dates, topics and files", async () => {
    await using society = await openWordPress(wordPressSociety);
    const body = { address: society.origin, wordpress: true };
    const tried = await endedJob(api, await api.request("POST", "/imports/site", { body }));
    assert.equal(tried.state, "done", tried.error);
    assert.equal(tried.options.wordpress, true);
    assert.deepEqual(tried.report.copied, { pages: 4, files: 2 });
    assert.ok(!society.asked.includes("/uploads/rose.png"), "a dry run fetches no files");
    const repeat = { body: { status: "published" } };
    const done = await endedJob(api, await api.request("POST", `/jobs/${tried.id}/repeat`, repeat));
    assert.deepEqual([done.state, done.report.files], ["done", 1], JSON.stringify(done.report));
    const page = await (await api.app.get("/news/first-rose")).text();
    assert.match(page, /2019-05-04.*\/media\//s);
    assert.equal((await api.app.get("/2019/05/first-rose/")).status, 308);
  });

  it("that is not made with WordPress is not read as one, and the form says so", async () => {
    await using plain = await openSociety();
    const berta = await site.person("berta@example.org", "manager");
    const typed = { address: plain.origin, wordpress: "true" };
    const { location } = await berta.send("/admin/jobs/site", typed);
    assert.match(
      (await endedPage(berta, location)).text,
      /copy its pages instead, as of any other/,
    );
  });

  it("is imported by a form that needs no script", async () => {
    await using society = await openSociety();
    const anna = await site.person("anna@example.org", "manager");
    const { location } = await anna.send("/admin/jobs/site", { address: society.origin });
    const refresh = '<noscript><meta http-equiv="refresh" content="3"></noscript>';
    const running = await anna.get(location ?? "");
    assert.ok(running.text.includes(refresh), "a running job shows its progress without scripts");
    const tried = await endedPage(anna, location);
    assert.ok(!tried.text.includes(refresh));
    assert.match(tried.text, /What would be done/);
    assert.match(tried.text, /<h1>Import: http:\/\/127\.0\.0\.1:\d+\/<\/h1>/);
    assert.match(tried.text, /Rules.*?<td>New<\/td>/s);
    const run = await anna.send(`${location}/repeat`, { status: "published", run: "true" });
    assert.match((await endedPage(anna, run.location)).text, /What was done/);
    assert.match(await (await site.app.get("/rules")).text(), /Members agree on rules/);
  });

  it("is left alone once its copy is cancelled", async () => {
    const links = Array.from({ length: 30 }, (_, at) => `<a href="/p${at}">${at}</a>`).join(" ");
    const pages = Array.from({ length: 30 }, (_, at) => [
      `/p${at}`,
      oldPage(`Page ${at}`, "<p>x</p>"),
    ]);
    await using large = await openOldSite({
      "/": oldPage("Home", links),
      ...Object.fromEntries(pages),
    });
    const ida = await site.person("ida@example.org", "manager");
    const { location } = await ida.send("/admin/jobs/site", { address: large.origin });
    await found(async () => {
      const { text } = await ida.get(location ?? "");
      return /Copying: [1-9]\d* pages, 0 files/.test(text) ? text : undefined;
    });
    await ida.send(`${location}/cancel`);
    assert.match((await endedPage(ida, location)).text, /Cancelled/);
    assert.ok(large.asked.length < 30, `${large.asked.length} were asked for`);
  });

  it("in an inner network, or with an address that is none, is refused in words", async () => {
    await using guarded = await openApiClient();
    const from = (address: string) =>
      guarded.request("POST", "/imports/site", { body: { address } });
    const inner = await endedJob(guarded, await from("http://10.0.0.7/"));
    assert.equal(inner.state, "failed");
    assert.equal(
      inner.error,
      "Cannot copy http://10.0.0.7/robots.txt: It leads into a private network",
    );
    for (const [address, message] of [
      ["ftp://example.org/", /is not an address: give one such as https:\/\/example\.org\//],
      ["nowhere", /is not an address/],
      ["https://anna:secret@example.org/", /contains a name or password/],
    ] as const) {
      const { status, body } = await from(address);
      assert.equal(status, 400);
      assert.match(body.detail, message);
    }
    const key = await guarded.issue("transfer:run", "content:write");
    const body = { address: "https://example.org/" };
    assert.equal((await guarded.request("POST", "/imports/site", { body, key })).status, 403);
  });
});
