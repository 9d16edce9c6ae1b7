import assert from "node:assert/strict";
import { after, it } from "node:test";
import { SITE_RESOURCES } from "../../src/mcp/resources.ts";
import { getContentByUrl } from "../../src/mcp/tools/get-content-by-url.ts";
import { openApiClient } from "../support/api-client.ts";
import { openMcpService } from "../support/mcp-service.ts";
import { NOW, ORIGIN } from "../support/open-fixture.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());
const { reading } = api.app;

function contextAt(now: Date) {
  return { reading, types: reading.types(), origin: ORIGIN, now, meta: {} };
}

async function read(url: string): Promise<string> {
  return JSON.parse(await getContentByUrl.call({ url }, contextAt(NOW))).content[0].text;
}

async function redirect(from: string, to: string): Promise<void> {
  const { status, text } = await api.request("POST", "/redirects", { body: { from, to } });
  assert.equal(status, 201, text);
}

it("follows the redirects that visitors follow: by query, to lists, and past doubled slashes", async () => {
  for (const [title, path] of [
    ["About", "/about-us"],
    ["Legal notice", "/legal"],
  ]) {
    const body = { type: "page", title, path, status: "published" };
    assert.equal((await api.request("POST", "/content", { body })).status, 201);
  }
  await redirect("/?p=12", "/about-us");
  await redirect("/legal?q=ü b&a=1", "/about-us");
  await redirect("/index.php?page=2", "/topics");
  await redirect("/themes", "/topics");
  for (const [from, to, type] of [
    ["/?p=12", "/about-us", "page"],
    ["/?p=12#top", "/about-us", "page"],
    ["/legal?a=1&q=%C3%BC+b", "/about-us", "page"],
    ["/index.php?page=2", "/topics", "list"],
    ["/themes", "/topics", "list"],
    ["/themes.md", "/topics", "list"],
  ] as const) {
    const lines = (await read(from)).split("\n").slice(0, 3);
    assert.equal(lines[0], `url: ${ORIGIN}${to}`, from);
    assert.match(lines[1] ?? "", /^moved_from: https:/);
    assert.equal(lines[2], `type: ${type}`);
  }
  assert.match(await read("/legal?a=1&q=ü b"), /^moved_from: .*\/legal\?a=1&q=%C3%BC\+b$/m);
  assert.match(await read("/legal?a=1"), /^url: .*\/legal\ntype: page\n/);
  assert.match(await read(`${ORIGIN}//topics//time`), /^url: .*\/topics\/time\ntype: topic\n/);
});

it("reads the pages of the service that other pages link to, and names the tool for the search page", async () => {
  assert.match(await read("/timeline"), /^url: .*\/timeline\ntype: page\n.*\n# Timeline\n/s);
  await assert.rejects(read("/timeline?page=99"), /\/timeline has fewer pages/);
  await assert.rejects(read("/search?type=topic"), /is the search page: call search_content/);
  const [timeline] = SITE_RESOURCES.read(`${ORIGIN}/timeline`, contextAt(NOW)) ?? [];
  assert.equal(timeline?.["text"], await (await api.app.get("/timeline.md")).text());
});

it("reads pages as of today in the site's time zone, and not from the cache of yesterday", async () => {
  await using service = await openMcpService();
  await service.saveProfile({ timeZone: "Pacific/Auckland" });
  const event = { type: "event", status: "published" };
  await service.save(
    { ...event, title: "First talk", path: "/events/first", fields: { starts: "2027-03-01" } },
    { ...event, title: "Second talk", path: "/events/second", fields: { starts: "2027-03-02" } },
  );
  const upcoming = async (time: string) => {
    service.clock.now = new Date(time);
    const text = await service.text("get_content_by_url", { url: "/events" });
    const [, listed = ""] = /## Upcoming events\n(.*?)\n(?:## |```)/s.exec(text) ?? [];
    return listed.match(/\w+ talk/g);
  };
  // Midnight in Auckland is at 11:00 in UTC.
  for (let repeat = 0; repeat < 3; repeat += 1)
    assert.deepEqual(await upcoming("2027-03-01T10:59:00Z"), ["First talk", "Second talk"]);
  assert.deepEqual(await upcoming("2027-03-01T11:01:00Z"), ["Second talk"]);
});
