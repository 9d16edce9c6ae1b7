import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { endedJob } from "../../support/ended-job.ts";
import { importedFolder } from "../../support/imported-folder.ts";
import { openPeopleSite } from "../../support/people.ts";

const client = await openApiClient();
after(() => client[Symbol.asyncDispose]());

async function saved(fields: Readonly<Record<string, string>>): Promise<unknown[]> {
  const title = `Author ${fields["born"]} ${fields["died"]}`;
  const body = { type: "author", title, status: "published", fields };
  const answer = await client.request("POST", "/content", { body });
  return [answer.status, answer.body.problems ?? []];
}

const beforeBirth = (born: string) => ({
  where: "fields.died",
  message: `is before the birth (born: ${born})`,
});

describe("a death before the birth", () => {
  it("is refused at its field, also of years and of years BCE", async () => {
    for (const [born, died, shown] of [
      ["1850-03-02", "1850-03-01", "1850-03-02"],
      ["1850-03", "1850-02-28", "1850-03"],
      ["1850", "1849-12-31", "1850"],
      ["1850-01-01", "1849", "1850-01-01"],
      ["-0428", "-0429", "-0428"],
      ["-428-03", "-428-02", "-0428-03"],
      ["20", "-20", "0020"],
      ["~1850", "1848", "~1850"],
    ] as const) {
      assert.deepEqual(await saved({ born, died }), [400, [beforeBirth(shown)]], `${born} ${died}`);
    }
  });

  it("is only what cannot be otherwise", async () => {
    for (const [born, died] of [
      ["1850-03-02", "1850-03-02"],
      ["1850-03-02", "1850"],
      ["1850-03-02", "1850-03"],
      ["1850", "1850-01"],
      ["-0428", "-0348"],
      ["-428-03", "-428"],
      ["-20", "20"],
    ] as const) {
      assert.deepEqual(await saved({ born, died }), [201, []], `${born} ${died}`);
    }
  });

  it("that is stored already is read and exported, and refused only when it is saved", async () => {
    const fields = { born: "1850", died: "1910" };
    const body = { type: "author", title: "Old Mistake", status: "published", fields };
    const created = await client.request("POST", "/content", { body });
    const { id, path } = created.body;
    const { content } = client.app.record;
    const before = await content.item(id);
    assert(before !== null);
    const mistaken = { ...before, fields: { born: "1850", died: "1810" }, revision: 2 };
    const entry = { at: client.clock.now.toISOString(), actor: "operator", requestId: null };
    await content.write(async (transaction) => {
      await transaction.put(mistaken, { ...entry, before, action: "content.update" });
    });
    assert.match(await (await client.app.get(`${path}.md`)).text(), /1850–1810|Died: 1810/);
    const read = await client.request("GET", `/content/${id}`);
    assert.equal(read.body.fields.died, "1810");
    const job = await endedJob(client, await client.request("POST", "/exports"));
    assert.equal(job.state, "done", job.error);

    const patched = async (patch: object) => {
      const headers = { "If-Match": "*", "Content-Type": "application/merge-patch+json" };
      const answer = await client.request("PATCH", `/content/${id}`, { body: patch, headers });
      return [answer.status, answer.body.problems ?? []];
    };
    assert.deepEqual(await patched({ summary: "New" }), [400, [beforeBirth("1850")]]);
    assert.deepEqual(await patched({ summary: "New", fields: { died: "1910" } }), [200, []]);
  });

  it("is refused in an import, with its line", async () => {
    const file = "---\ntype: author\ntitle: A\nborn: 1850\ndied: 1810\n---\n\nText.\n";
    const profile =
      "name: A\nlanguage: en\ndescription: A\nwhenToUse: [A]\ncontact: { email: a@example.org }\n";
    const { err } = await importedFolder({ "site.yaml": profile, "content/authors/a.md": file });
    assert.match(err, /a\.md:5: died: is before the birth \(born: 1850\)/);
  });

  it("is refused in the editor, at the field and in the editor's language", async () => {
    await using site = await openPeopleSite();
    const olga = await site.person("olga@example.org", "owner");
    const { location } = await olga.send("/admin/new", { type: "author", title: "A" });
    const draft = location ?? "";
    await olga.send(draft, { title: "A", "f.born": "1850", "f.died": "1810", version: "1" });
    const step = await olga.get(`${draft}/publish`, { "accept-language": "de" });
    assert.match(step.text, /<li>[^<:]+: liegt vor der Geburt \(1850\)<\/li>/);
    assert.doesNotMatch(step.text, /Jetzt veröffentlichen/);
  });
});
