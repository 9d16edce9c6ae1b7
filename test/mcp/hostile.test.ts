import assert from "node:assert/strict";
import { after, it } from "node:test";
import fc from "fast-check";
import { TOOLS } from "../../src/mcp/tools.ts";
import { anyCharacter } from "../support/any-character.ts";
import { META, openMcpService, type Reply } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

const METHODS = [
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "notifications/x",
  "",
];
const TEXTS = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    "",
    "/topics/time",
    "time",
    "Epictetus",
    "quotation",
    "work",
    "title",
    "\ud800",
    "-",
    '"',
    "*",
    "%",
    "__proto__",
    "WzAsMF0",
    "2026-01-01",
  ),
);
const VALUES = fc.oneof(
  TEXTS,
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(TEXTS, { maxLength: 3 }),
  fc.dictionary(TEXTS, fc.oneof(TEXTS, fc.integer()), { maxKeys: 3 }),
);

/** Arguments of a tool by their right names, each with any value, or with a fitting one. */
const CALLS = fc.constantFrom(...TOOLS).chain(({ definition: { name, inputSchema } }) => {
  const { properties } = inputSchema;
  const names = Object.keys(Object(properties));
  const args = fc.dictionary(fc.constantFrom(...names), VALUES, { maxKeys: 4 });
  return args.map((given) => ({ name, arguments: given }));
});

function isWellBehaved({ status, body, headers }: Reply): void {
  assert([200, 202, 400, 404].includes(status), `${status} ${JSON.stringify(body)}`);
  assert.equal("Mcp-Session-Id" in headers, false);
  assert.deepEqual(service.logged, []);
}

it("never fails on any bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (body) => {
      isWellBehaved(await service.raw({ body }));
    }),
    { numRuns: 300 },
  );
});

it("never fails on any message", async () => {
  const messages = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant("2.0") }, VALUES),
      id: fc.oneof(fc.integer(), TEXTS, VALUES),
      method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...METHODS) }, VALUES),
      params: fc.oneof(
        fc.dictionary(
          fc.constantFrom(
            "name",
            "uri",
            "cursor",
            "arguments",
            "_meta",
            "ref",
            "argument",
            "protocolVersion",
          ),
          VALUES,
        ),
        VALUES,
      ),
    },
    { requiredKeys: [] },
  );
  const headers = fc.dictionary(
    fc.constantFrom("mcp-protocol-version", "mcp-method", "mcp-name", "accept", "mcp-session-id"),
    fc.oneof(fc.string(), fc.constantFrom("2026-07-28", "2025-11-25", "=?base64??=")),
  );
  await fc.assert(
    fc.asyncProperty(messages, headers, async (message, given) => {
      isWellBehaved(await service.raw({ headers: given, body: JSON.stringify(message) }));
    }),
    { numRuns: 1000 },
  );
});

it("never fails on any call of a tool, and explains every refusal", async () => {
  await fc.assert(
    fc.asyncProperty(CALLS, async (params) => {
      const reply = await service.modern("tools/call", params);
      isWellBehaved(reply);
      const { isError, content } = reply.body.result;
      if (isError === true) assert(content[0].text.length > 20);
    }),
    { numRuns: 1000 },
  );
});

it("names the fault where an object with a property toString stands for a text", async () => {
  const object = { toString: 1, valueOf: 1 };
  const list = { name: "list_content", arguments: { type: "work", filters: { a: object, b: 1 } } };
  const refused = await service.modern("tools/call", list);
  isWellBehaved(refused);
  assert.match(
    refused.body.result.content[0].text,
    /^Cannot filter by "a": there is no such filter/,
  );

  const argument = { name: "topic", value: "" };
  for (const ref of [
    { type: "ref/prompt", name: object },
    { type: "ref/resource", uri: object },
  ]) {
    const unknown = await service.modern("completion/complete", { ref, argument });
    isWellBehaved(unknown);
    assert.match(unknown.body.error.message, /^Unknown (?:prompt|template)$/);
  }
});

it("reads deeply nested and very long arguments without falling over", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const long = `[${"{},".repeat(80_000)}{"year":"soon"}]`;
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "list_content",
  };
  for (const args of [
    `{"type":"work","filters":{"year":${deep}}}`,
    `{"type":${deep}}`,
    `{"type":"work","filters":${long}}`,
  ]) {
    const params = { name: "list_content", arguments: 0, _meta: META };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const body = JSON.stringify(message).replace('"arguments":0', `"arguments":${args}`);
    const reply = await service.raw({ headers, body });
    isWellBehaved(reply);
    assert.equal(reply.body.result.isError, true, args.slice(0, 40));
  }
});
