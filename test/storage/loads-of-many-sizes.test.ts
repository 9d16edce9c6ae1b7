import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { importItems } from "../../src/content/import/import-items.ts";
import { parseJsonLines } from "../../src/content/import/json-line.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const SIZES = Array.from({ length: 30 }, (_, at) => 33 + at);
/** The connection keeps each statement with the texts of its last run. */
const STATEMENTS_MAX = 20;

it("saves loads of many sizes with few statements", async (test) => {
  await using site = await openFixture();
  const { content } = site.record;
  const reading = { types: await content.types(), unknown: "refuse", timeZone: "UTC" } as const;
  const { mock } = test.mock.method(DatabaseSync.prototype, "prepare");
  for (const size of SIZES) {
    const items = parseJsonLines(topicLines(size), { ...reading, file: "a.jsonl", now: NOW });
    const { created } = await importItems(content, { kind: "operator" }, items, {
      now: NOW,
      onProblem: ({ message }) => assert.fail(message.en),
    });
    assert.equal(created, size);
  }
  const texts = mock.calls.map(({ arguments: [text] }) => text);
  for (const table of ["items", "revisions", "audit", "import_bases"]) {
    const inserts = new Set(texts.filter((text) => text.startsWith(`insert into "${table}"`)));
    assert.ok(inserts.size > 0 && inserts.size <= STATEMENTS_MAX, `${table}: ${inserts.size}`);
  }
});

async function* topicLines(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 1; at <= size; at += 1) {
    yield Buffer.from(`${JSON.stringify({ type: "topic", title: `Topic ${at} of ${size}` })}\n`);
  }
}
