import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type Loose, ORIGIN, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

/** Every row of a list, by its own pages. */
async function allRows(args: object): Promise<Loose[]> {
  const rows = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const page: Loose = await service.call("list_content", { ...args, limit: 100, cursor });
    rows.push(...page.items);
    cursor = page.next_cursor;
  }
  return rows;
}

function counted(rows: readonly Loose[], valuesOf: (row: Loose) => unknown[]) {
  const counts = new Map<unknown, number>();
  for (const row of rows) {
    for (const value of valuesOf(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function shown({ counts }: Loose) {
  return Object.fromEntries(counts.map(({ name, count }: Loose) => [name, count]));
}

describe("count_by", () => {
  it("counts a list by linked items and by values, as its rows show them", async () => {
    const rows = await allRows({ type: "quotation" });
    const byAuthor = await service.call("list_content", { type: "quotation", count_by: "author" });
    assert.deepEqual(
      shown(byAuthor),
      counted(rows, ({ authors }) => authors),
    );
    assert.equal(byAuthor.counted_by, "authors");
    assert.equal(byAuthor.total, rows.length);
    const numbers = byAuthor.counts.map(({ count }: Loose) => count);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a: number, b: number) => b - a),
    );
    const filters = { authors: "Epictetus" };
    const verified = await service.call("list_content", {
      type: "quotation",
      filters,
      count_by: "verification",
    });
    const ofEpictetus = rows.filter(({ authors }) => authors.includes("Epictetus"));
    assert.deepEqual(
      shown(verified),
      counted(ofEpictetus, ({ verification }) => [verification]),
    );
  });

  it("says how many are in no group", async () => {
    const rows = await allRows({ type: "quotation" });
    const without = rows.filter(({ topics }) => topics === undefined).length;
    const counts = await service.call("list_content", { type: "quotation", count_by: "topics" });
    assert.equal(counts.without ?? 0, without);
    assert.equal(counts.groups, counts.counts.length);
  });

  it("counts what a search finds", async () => {
    const asked = { query: "time death", types: ["quotation"] };
    const { hits } = await service.call("search_content", { ...asked, limit: 25 });
    const counts = await service.call("search_content", { ...asked, count_by: "authors" });
    assert.equal(counts.total, hits.length);
    assert.deepEqual(
      shown(counts),
      counted(hits, ({ authors }) => authors),
    );
    const types = await service.call("search_content", { query: "courage", count_by: "types" });
    assert.equal(types.counted_by, "type");
    assert(types.counts.some(({ name }: Loose) => name === "topic"));
  });

  it("counts from a time on and in a language", async () => {
    const since = { type: "quotation", updated_since: "2100-01-01", count_by: "authors" };
    assert.deepEqual((await service.call("list_content", since)).counts, []);
    const german = { type: "quotation", language: "de", count_by: "language" };
    assert.deepEqual((await service.call("list_content", german)).counts, []);
  });

  it("pages by cursor, in fewer than 600 tokens each, each group once", async () => {
    await using own = await openMcpService();
    const topics = Array.from({ length: 150 }, (_, n) => ({
      type: "topic",
      path: `/topics/t-${n}`,
      title: `A topic about the number ${n}`,
      status: "published",
    }));
    const quotations = topics.slice(0, 140).map(({ path }, n) => ({
      type: "quotation",
      path: `/quotations/on-${n}`,
      title: `On ${n}`,
      relations: { topics: [path, "/topics/time"] },
      status: "published",
    }));
    await own.save(...topics, ...quotations);
    const names = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const args = { type: "quotation", count_by: "topics", cursor };
      const text = await own.text("list_content", args);
      assert(countTokens(text) < 600, `${countTokens(text)}`);
      const page = JSON.parse(text);
      names.push(...page.counts.map(({ name }: Loose) => name));
      cursor = page.next_cursor;
    }
    assert.equal(new Set(names).size, names.length);
    assert(names.length > 140);
    assert.equal(names[0], "Time");
  });

  it("names what can be counted by, and refuses the cursor of another count", async () => {
    const text = await service.text("list_content", { type: "work", count_by: "colour" });
    assert.match(text, /Cannot count by "colour": use one of type, language, kind, year, /);
    const first = await service.call("list_content", {
      type: "quotation",
      count_by: "authors",
      limit: 1,
    });
    const other = { type: "quotation", count_by: "topics", cursor: first.next_cursor };
    assert.match(await service.text("list_content", other), /another query/);
  });

  it("gives the URL of a name that another item has too", async () => {
    await using own = await openMcpService();
    const twin = (path: string) => ({
      type: "author",
      path,
      title: "John Smith",
      status: "published",
    });
    await own.save(twin("/authors/john-smith"), twin("/authors/john-smith-the-younger"), {
      type: "quotation",
      title: "One of two",
      relations: { authors: ["/authors/john-smith-the-younger"] },
      status: "published",
    });
    const { counts } = await own.call("search_content", {
      query: "one of two",
      count_by: "author",
    });
    const url = `${ORIGIN}/authors/john-smith-the-younger`;
    assert.deepEqual(
      counts.find(({ name }: Loose) => name === "John Smith"),
      { name: "John Smith", url, count: 1 },
    );
  });
});
