import assert from "node:assert/strict";
import { it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { ORIGIN } from "../../support/open-fixture.ts";

const ANY = { "If-Match": "*" };

it("what points to an item is named before it is withdrawn, and its address leads on", async () => {
  await using api = await openApiClient();
  const made = async (body: object) => {
    const answer = await api.request("POST", "/content", {
      body: { status: "published", ...body },
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  };
  const old = await made({ type: "topic", title: "Old" });
  const next = await made({ type: "topic", title: "Next" });
  const related = await made({ type: "topic", title: "Narrow", relations: { broader: [old] } });
  await made({ type: "page", title: "A", path: "/a", body: "See [it](/topics/old#part)." });
  await made({ type: "page", title: "B", path: "/b", body: `Or <${ORIGIN}/topics/old>.` });
  await made({ type: "page", title: "C", path: "/c", body: "Not [it](/topics/older)." });
  const c = await made({ type: "page", title: "D", path: "/d" });
  const draft = { itemId: c, changes: { body: "[Old](/topics/old.md)" } };
  await api.request("POST", "/drafts", { body: draft });

  const { body } = await api.request("GET", `/content/${old}/references`);
  const titles = (items: { title: string }[]) => items.map(({ title }) => title).sort();
  assert.deepEqual(titles(body.texts.items), ["A", "B", "D"]);
  assert.equal(body.relations[0].relation, "broader");
  assert.equal(body.relations[0].items[0].id, related);
  assert.equal(body.total, 4);

  for (const [method, path] of [
    ["POST", `/content/${old}/archive`],
    ["POST", `/content/${old}/unpublish`],
    ["DELETE", `/content/${old}?leadTo=/topics/next`],
  ] as const) {
    const refused = await api.request(method, path, { headers: ANY });
    assert.equal(refused.status, 409, path);
    assert.match(refused.body.detail, /\/topics\/narrow.*point to it.*references=keep/);
    assert.equal(refused.body.problems.length, 4);
  }
  const wrong = `/content/${old}?references=keep&leadTo=/nowhere`;
  assert.equal((await api.request("DELETE", wrong, { headers: ANY })).status, 400);
  assert.equal((await api.app.get("/topics/old")).status, 200, "nothing was half done");
  const led = `/content/${old}?references=keep&leadTo=${next}`;
  const deleted = await api.request("DELETE", led, { headers: ANY });
  assert.equal(deleted.body.status, "deleted", deleted.text);
  const page = await api.app.get("/topics/old");
  assert.deepEqual([page.status, page.headers.get("location")], [308, "/topics/next"]);
  const audit = await api.request("GET", "/audit?limit=2");
  assert.deepEqual(
    audit.body.items.map(({ action }: { action: string }) => action),
    ["redirect.add", "content.delete"],
  );
});

it("every address of what is deleted leads on, and says what to do when it is wanted back", async () => {
  await using api = await openApiClient();
  const made = async (title: string) =>
    (await api.request("POST", "/content", { body: { type: "topic", title, status: "published" } }))
      .body.id;
  const old = await made("Old");
  const next = await made("Next");
  const moved = { body: { path: "/topics/older" }, headers: ANY };
  assert.equal((await api.request("PATCH", `/content/${old}`, moved)).status, 200);
  const redirect = { body: { from: "/ancient.html", to: old } };
  assert.equal((await api.request("POST", "/redirects", redirect)).status, 201);
  const led = `/content/${old}?references=keep&leadTo=${next}`;
  assert.equal((await api.request("DELETE", led, { headers: ANY })).status, 200);
  for (const path of ["/topics/older", "/topics/old", "/ancient.html"]) {
    const page = await api.app.get(path);
    assert.deepEqual([page.status, page.headers.get("location")], [308, "/topics/next"], path);
  }

  const restore = () =>
    api.request("POST", `/content/${old}/revisions/1/restore`, { headers: ANY });
  const refused = await restore();
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.body.detail, /it is redirected to \/topics\/next\. Remove the redirect, or/);
  const { items } = (await api.request("GET", "/redirects")).body;
  const { id } = items.find(({ from }: { from: string }) => from === "/topics/older");
  await api.request("DELETE", `/redirects/${id}`, { headers: ANY });
  assert.equal((await restore()).body.status, "draft");
});

it("what points to an item is named before a patch or a draft withdraws or moves it", async () => {
  await using api = await openApiClient();
  const made = async (body: object) => {
    const answer = await api.request("POST", "/content", {
      body: { status: "published", ...body },
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id;
  };
  const old = await made({ type: "topic", title: "Old" });
  await made({ type: "topic", title: "Narrow", relations: { broader: [old] } });
  const linking = await made({
    type: "page",
    title: "A",
    path: "/a",
    body: "See [it](/topics/old).",
  });
  const patch = async (body: object, query = "") =>
    await api.request("PATCH", `/content/${old}${query}`, { headers: ANY, body });

  for (const status of ["draft", "archived"]) {
    const refused = await patch({ status });
    assert.equal(refused.status, 409, status);
    assert.match(refused.body.detail, /point to it.*references=keep/);
    assert.equal(refused.body.problems.length, 2);
  }
  const moved = { path: "/topics/new" };
  const refused = await patch(moved);
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /Cannot move "\/topics\/old": the texts of \/a link to it/);
  assert.equal((await patch({ ...moved, title: "New" }, "?references=all")).status, 400);
  assert.equal((await patch({ path: "/topics/old", title: "Still old" })).status, 200);

  const draft = await api.request("POST", "/drafts", { body: { itemId: old, changes: moved } });
  const at = `/drafts/${draft.body.id}`;
  const publishAt = "2030-01-01T00:00:00Z";
  for (const [path, body] of [
    [`${at}/publish`, undefined],
    [`${at}/apply`, undefined],
    [`${at}/schedule`, { publishAt }],
  ] as const) {
    const answer = await api.request("POST", path, { headers: ANY, body });
    assert.equal(answer.status, 409, path);
    assert.match(answer.body.detail, /Cannot move/);
  }
  const known = `${at}/publish?references=keep`;
  assert.equal((await api.request("POST", known, { headers: ANY })).body.path, "/topics/new");

  const body = { body: "Nothing to see." };
  await api.request("PATCH", `/content/${linking}`, { headers: ANY, body });
  assert.equal(
    (await patch({ path: "/topics/newer" })).status,
    200,
    "no text links to it any more",
  );
  assert.equal((await patch({ status: "archived" }, "?references=keep")).body.status, "archived");
});
