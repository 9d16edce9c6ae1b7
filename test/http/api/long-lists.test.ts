import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiAnswer, type ApiClient, openApiClient } from "../../support/api-client.ts";

/** More than are read at once to be sorted. */
const TOPICS = 2100;

interface Outline {
  id: string;
  type: string;
  status: string;
  path: string;
  title: string;
  updatedAt: string;
}

async function addTopics(api: ApiClient): Promise<void> {
  const lines = Array.from({ length: TOPICS }, (_, number) =>
    JSON.stringify({
      type: "topic",
      // Titles, paths and times of creation are in different orders.
      title: `Topic ${(number * 7919) % TOPICS}`,
      path: `/topics/t${(number * 104_729) % TOPICS}`,
      sourceKey: `t${number}`,
      status: number % 3 === 0 ? "draft" : "published",
    }),
  );
  const { status, text } = await api.request("POST", "/content/bulk", {
    body: lines.join("\n"),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  assert.equal(status, 200, text);
}

async function listed(api: ApiClient, query: string): Promise<Outline[]> {
  const found: Outline[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: ApiAnswer = await api.request("GET", `/content?limit=100&${query}${more}`);
    assert.equal(page.status, 200, page.text);
    found.push(...page.body.items);
    cursor = page.body.nextCursor;
    if (cursor === null) assert.equal(page.body.total, found.length, query);
  }
  return found;
}

describe("lists of more items than are sorted at once", () => {
  it("have the same items in the same order as a list sorted whole", async () => {
    await using api = await openApiClient();
    await addTopics(api);
    const all = await listed(api, "sort=created");
    assert(all.length > TOPICS);
    const values = {
      updated: ({ updatedAt }: Outline) => updatedAt,
      created: ({ id }: Outline) => id,
      title: ({ title }: Outline) => title,
      path: ({ path }: Outline) => path,
    };
    for (const [sort, value] of Object.entries(values)) {
      for (const order of ["asc", "desc"]) {
        for (const [filter, matches] of [
          ["", () => true],
          ["&type=topic", ({ type }: Outline) => type === "topic"],
          ["&type=topic,quotation", ({ type }: Outline) => /topic|quotation/.test(type)],
          ["&type=topic&status=draft", topicIn("draft")],
          ["&type=topic&status=published", topicIn("published")],
        ] satisfies [string, (item: Outline) => boolean][]) {
          const expected = all.filter(matches).sort((a, b) => {
            const found = compared(value(a), value(b)) || compared(a.id, b.id);
            return order === "asc" ? found : -found;
          });
          const found = await listed(api, `sort=${sort}&order=${order}${filter}`);
          assert.deepEqual(ids(found), ids(expected), `${sort} ${order} ${filter}`);
        }
      }
    }
  });

  it("can be read to the end, also filtered or in the order of a field", async () => {
    await using api = await openApiClient();
    const lines = Array.from({ length: 1250 }, (_, number) =>
      JSON.stringify({
        type: "work",
        title: `Work ${number}`,
        sourceKey: `w${number}`,
        status: number % 3 === 0 ? "draft" : "published",
        fields: number % 50 === 0 ? {} : { year: (number * 7919) % 40, kind: "letter" },
      }),
    );
    const headers = { "Content-Type": "application/x-ndjson" };
    const saved = await api.request("POST", "/content/bulk", { body: lines.join("\n"), headers });
    assert.equal(saved.status, 200, saved.text);

    const works = await listed(api, "type=work&sort=created");
    for (const order of ["asc", "desc"]) {
      const byYear = await listed(api, `type=work&sort=year&order=${order}`);
      assert.deepEqual(ids(byYear).sort(), ids(works).sort());
    }
    assert.equal((await listed(api, "type=work&filter=kind:letter")).length, 1225);
    assert.equal((await listed(api, "filter=kind:letter&type=work&sort=title")).length, 1225);
  });
});

function topicIn(status: string): (item: Outline) => boolean {
  return (item) => item.type === "topic" && item.status === status;
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function ids(items: readonly Outline[]): string[] {
  return items.map(({ id }) => id);
}
