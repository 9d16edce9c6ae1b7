import assert from "node:assert/strict";
import { it } from "node:test";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";

const TOPICS = ["Aster", "Birch", "Cedar"].map((title) => JSON.stringify({ type: "topic", title }));

async function must(line: CommandLine, ...words: string[]): Promise<string> {
  const { code, out, err } = await line.run(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${err}`);
  return out;
}

/** The titles of the items in which an editor finds a word. */
async function found(line: CommandLine, word: string): Promise<string[]> {
  const { items } = JSON.parse(await must(line, "api", "GET", `/content?text=${word}`));
  return items.map(({ title }: { title: string }) => title);
}

async function write(line: CommandLine, path: string, body: string): Promise<void> {
  const { items } = JSON.parse(await must(line, "api", "GET", `/content?path=${path}`));
  const change = ["--data", JSON.stringify({ body }), "--header", "If-Match: *"];
  await must(line, "api", "PATCH", `/content/${items[0].id}`, ...change);
}

onPostgres("migrate-to", () => {
  it("leaves no index of the desk in use that was made from the other side", async () => {
    using line = openCommandLine();
    await using database = await createDatabase();
    await must(line, "import", line.file("topics.jsonl", TOPICS.join("\n")));
    assert.deepEqual(await found(line, "birch"), ["Birch"], "the index is made");
    await write(line, "/topics/birch", "A zebra");
    await must(line, "migrate-to", database.url);

    line.environment["DATABASE_URL"] = database.url;
    assert.deepEqual(await found(line, "zebra"), ["Birch"], "in the database");
    await write(line, "/topics/aster", "A xylophone");
    assert.deepEqual(await found(line, "xylophone"), ["Aster"]);

    delete line.environment["DATABASE_URL"];
    assert.deepEqual(await found(line, "zebra"), ["Birch"], "in the former folder again");
    assert.deepEqual(await found(line, "xylophone"), []);
  });
});
