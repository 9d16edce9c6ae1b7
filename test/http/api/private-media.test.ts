import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type Loose, openApiClient } from "../../support/api-client.ts";
import { png } from "../../support/media-bytes.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const ANY = { "If-Match": "*" };
let colour = 0;

async function upload(query = ""): Promise<{ id: string; path: string }> {
  colour += 1;
  const { status, body } = await api.request("POST", `/media${query}`, { body: png(9, 9, colour) });
  assert.equal(status, 201);
  return body;
}

/** As everybody is answered, and as the interface says it. */
async function isPublic({ id, path }: { id: string; path: string }): Promise<boolean> {
  const { status } = await api.app.get(path);
  const { body } = await api.request("GET", `/media/${id}`);
  assert.equal(status, body.isPublic ? 200 : 404);
  return body.isPublic;
}

async function page(path: string, body: string, status = "published"): Promise<Loose> {
  const made = await api.request("POST", "/content", {
    body: { type: "page", path, title: path, body },
  });
  assert.equal(made.status, 201);
  if (status === "published") await act(made.body.id, "publish");
  return made.body;
}

async function act(id: string, action: string): Promise<void> {
  const { status } = await api.request("POST", `/content/${id}/${action}`, { headers: ANY });
  assert.equal(status, 200, action);
}

describe("a file", () => {
  it("is private until a published item shows it, and again when none does", async () => {
    const file = await upload();
    assert.equal(await isPublic(file), false);
    const draft = await page("/p1", `![x](${file.path})`, "draft");
    assert.equal(await isPublic(file), false);
    await act(draft.id, "publish");
    assert.equal(await isPublic(file), true);
    const second = await page("/p2", `See [this](https://quotations.example${file.path}).`);
    await act(draft.id, "unpublish");
    assert.equal(await isPublic(file), true);
    const changed = await api.request("PATCH", `/content/${second.id}`, {
      body: { body: "Without" },
      headers: ANY,
    });
    assert.equal(changed.status, 200);
    assert.equal(await isPublic(file), false);
  });

  it("shows on a page that named it before it was there", async () => {
    const gone = await upload();
    await api.request("DELETE", `/media/${gone.id}`, { headers: ANY });
    await page("/p3", `![x](${gone.path})`);
    colour -= 1;
    const file = await upload();
    assert.equal(file.path, gone.path);
    assert.equal(await isPublic(file), true);
    assert.match(await (await api.app.get("/p3")).text(), /<img[^>]*width="9"/);
  });

  it("is public as the logo of the site", async () => {
    const file = await upload();
    const { body: before } = await api.request("GET", "/settings");
    const { organization } = before;
    const save = async (logo: string | undefined) => {
      const { status } = await api.request("PATCH", "/settings", {
        body: { organization: { ...organization, logo: logo ?? null } },
        headers: ANY,
      });
      assert.equal(status, 200);
    };
    await save(`https://quotations.example${file.path}`);
    assert.equal(await isPublic(file), true);
    await save(undefined);
    assert.equal(await isPublic(file), false);
  });

  it("is public while an old address leads to it", async () => {
    const file = await upload();
    const { status, body } = await api.request("POST", "/redirects", {
      body: { from: "/uploads/old.png", to: file.path },
    });
    assert.equal(status, 201);
    assert.equal(await isPublic(file), true);
    assert.equal((await api.app.get("/uploads/old.png")).headers.get("location"), file.path);
    await api.request("DELETE", `/redirects/${body.id}`, { headers: ANY });
    assert.equal(await isPublic(file), false);
  });

  it("may be public by itself", async () => {
    const file = await upload("?alwaysPublic=true");
    assert.equal(await isPublic(file), true);
    await api.request("PATCH", `/media/${file.id}`, {
      body: { alwaysPublic: false },
      headers: ANY,
    });
    assert.equal(await isPublic(file), false);
  });

  it("is described or decorative, not both", async () => {
    const file = await upload("?isDecorative=true");
    const change = async (body: object) =>
      await api.request("PATCH", `/media/${file.id}`, { body, headers: ANY });
    const described = (await change({ alt: "A garden" })).body;
    assert.deepEqual([described.alt, described.isDecorative], ["A garden", false]);
    const decorative = (await change({ isDecorative: true })).body;
    assert.deepEqual([decorative.alt, decorative.isDecorative], ["", true]);
    const both = await change({ alt: "x", isDecorative: true });
    assert.equal(both.status, 400);
    assert.equal(
      both.body.detail,
      "A decorative picture has no alternative text; leave one of the two out",
    );
  });
});
