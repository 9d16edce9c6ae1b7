import assert from "node:assert/strict";
import { it } from "node:test";
import { publishDueItems } from "../../../src/content/editing/publishing.ts";
import { type ApiClient, type Loose, openApiClient } from "../../support/api-client.ts";
import { ALL_DOORS, doorsShowing, openTools } from "../../support/front-doors.ts";
import { ORIGIN } from "../../support/open-fixture.ts";

const PATH = "/topics/equanimity";
const TITLE = "Equanimity";

async function change(api: ApiClient, method: string, path: string, body?: object): Promise<Loose> {
  const answer = await api.request(method, `/content${path}`, {
    headers: { "If-Match": "*" },
    ...(body === undefined ? {} : { body }),
  });
  assert(answer.status < 300, answer.text);
  return answer.body;
}

it("what is written is shown by every door on the next request, and what is taken back by none", async () => {
  await using api = await openApiClient({ ticks: false });
  const callTool = await openTools(api);
  const shown = async (path = PATH, title = TITLE) =>
    await doorsShowing(api, callTool, { path, title });
  const status = async (path: string) => (await api.app.get(path)).status;

  assert.deepEqual(await shown(), [], "before it is written");
  const { id } = await change(api, "POST", "", {
    type: "topic",
    title: TITLE,
    body: "An even mind.",
  });
  assert.deepEqual(await shown(), [], "as a draft");
  await change(api, "POST", `/${id}/publish`);
  assert.deepEqual(await shown(), ALL_DOORS, "published");

  await change(api, "PATCH", `/${id}`, { title: "Serenity", path: "/topics/serenity" });
  assert.deepEqual(await shown("/topics/serenity", "Serenity"), ALL_DOORS, "renamed");
  assert.deepEqual(await shown(), [], "at its former path");
  const moved = await api.app.get(PATH);
  assert.deepEqual([moved.status, moved.headers.get("location")], [308, "/topics/serenity"]);
  const { text } = await callTool("get_content_by_url", { url: ORIGIN + PATH });
  assert(text.includes("Serenity") && text.includes(PATH), text);
  await change(api, "PATCH", `/${id}`, { title: TITLE, path: PATH });
  assert.deepEqual(await shown(), ALL_DOORS, "renamed to its own former path");

  await change(api, "POST", `/${id}/unpublish`);
  assert.deepEqual(await shown(), [], "unpublished");
  assert.equal(await status(PATH), 404);
  await change(api, "POST", `/${id}/schedule`, { publishAt: "2026-11-20T13:00:00Z" });
  assert.equal(await publishDueItems(api.app.record.content, api.clock.now), 0);
  assert.deepEqual(await shown(), [], "scheduled");
  api.clock.now = new Date("2026-11-20T13:00:01Z");
  assert.equal(await publishDueItems(api.app.record.content, api.clock.now), 1);
  assert.deepEqual(await shown(), ALL_DOORS, "published by the clock");

  await change(api, "POST", `/${id}/archive`);
  assert.deepEqual(await shown(), [], "archived");
  assert.equal(await status(PATH), 410);
  await change(api, "POST", `/${id}/publish`);
  assert.deepEqual(await shown(), ALL_DOORS, "published again");

  await change(api, "DELETE", `/${id}`);
  assert.deepEqual(await shown(), [], "deleted");
  assert.equal(await status(PATH), 410);
  await change(api, "POST", `/${id}/revisions/1/restore`);
  assert.deepEqual(await shown(), [], "restored, which makes it a draft");
  await change(api, "POST", `/${id}/publish`);
  assert.deepEqual(await shown(), ALL_DOORS, "published after all");
});

it("links and pictures of raw HTML in a paragraph keep their addresses by every door to Markdown", async () => {
  await using api = await openApiClient({ ticks: false });
  const callTool = await openTools(api);
  const html =
    '<a href="https://example.org/x">this</a> <img src="https://example.org/y.png" alt="Y" />';
  await change(api, "POST", "", {
    ...{ type: "topic", path: PATH, title: TITLE, status: "published" },
    body: `See ${html} <abbr title="as soon as possible">asap</abbr>, <a href="javascript:x()">not that</a>.`,
  });
  const markdown =
    "See [this](https://example.org/x) ![Y](https://example.org/y.png) asap, not that.";
  for (const [path, accept] of [
    [`${PATH}.md`, "*/*"],
    [PATH, "text/markdown"],
  ] as const) {
    const text = await (await api.app.get(path, { Accept: accept })).text();
    assert(text.includes(markdown), text);
  }
  const { text } = await callTool("get_content_by_url", { url: ORIGIN + PATH });
  assert(text.includes(markdown), text);
  const page = await (await api.app.get(PATH, { Accept: "text/html" })).text();
  assert(page.includes('See <a href="https://example.org/x">this</a> '), page);
});

it("a relation is shown from both ends on the next request, and its end as well", async () => {
  await using api = await openApiClient({ ticks: false });
  const callTool = await openTools(api);
  const { id } = await change(api, "POST", "", {
    type: "topic",
    title: TITLE,
    status: "published",
  });
  const told = async () => {
    const own = await (await api.app.get(`${PATH}.md`)).text();
    const other = await (await api.app.get("/topics/time.md")).text();
    const related = await callTool("get_related_content", { url: "/topics/time" });
    return [own.includes("/topics/time"), other.includes(PATH), related.text.includes(PATH)];
  };
  assert.deepEqual(await told(), [false, false, false]);
  await change(api, "PATCH", `/${id}`, {
    relations: { broader: [{ to: "/topics/time", note: "by its nature" }] },
  });
  assert.deepEqual(await told(), [true, true, true]);
  const { body: time } = await api.request("GET", "/content?path=/topics/time");
  await change(api, "PATCH", `/${time.items[0].id}`, { title: "Hours" });
  assert.match(await (await api.app.get(`${PATH}.md`)).text(), /Hours.*by its nature/);
  await change(api, "PATCH", `/${id}`, { relations: { broader: [] } });
  assert.deepEqual(await told(), [false, false, false]);
});
