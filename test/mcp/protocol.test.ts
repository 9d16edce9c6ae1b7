import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { TOOLS } from "../../src/mcp/tools.ts";
import { type Headers, META, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO = {
  name: "example.quotations/content",
  title: "Quotations Association",
  version: "0.0.0-test",
};
const READ_URI = "https://quotations.example/topics/time";

describe("revision 2026-07-28", () => {
  it("is discovered with everything a client needs", async () => {
    const { status, headers, body } = await service.modern("server/discover");
    assert.equal(status, 200);
    assert.equal("Mcp-Session-Id" in headers, false);
    const { instructions, ...result } = body.result;
    assert.deepEqual(result, {
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      ttlMs: 3_600_000,
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": SERVER_INFO },
    });
    assert.match(instructions, /search_content/);
  });

  const CACHED: Record<string, [object, number]> = {
    "tools/list": [{}, 3_600_000],
    "prompts/list": [{}, 3_600_000],
    "resources/list": [{}, 3_600_000],
    "resources/templates/list": [{}, 3_600_000],
    "resources/read": [{ uri: READ_URI }, 300_000],
  };
  for (const [method, [params, ttlMs]] of Object.entries(CACHED)) {
    it(`lets clients cache ${method}`, async () => {
      const { result } = (await service.modern(method, params)).body;
      assert.deepEqual([result.ttlMs, result.cacheScope], [ttlMs, "public"]);
    });
  }

  it("marks every result as complete and as ours", async () => {
    const { result } = (await service.modern("tools/call", { name: "list_topics" })).body;
    assert.equal(result.resultType, "complete");
    assert.deepEqual(result._meta["io.modelcontextprotocol/serverInfo"], SERVER_INFO);
    assert.equal("ttlMs" in result, false);
  });

  const without = (...names: string[]) => ({
    _meta: Object.fromEntries(Object.entries(META).filter(([name]) => !names.includes(name))),
  });
  const MISTAKES: [string, string, object, Headers, number, number][] = [
    ["no metadata", "tools/list", { _meta: undefined }, {}, 400, -32602],
    ["metadata in a text", "tools/list", { _meta: "x" }, {}, 400, -32602],
    ["no version in the metadata", "tools/list", without(VERSION), {}, 400, -32602],
    [
      "a version that is no text",
      "tools/list",
      { _meta: { ...META, [VERSION]: 1 } },
      {},
      400,
      -32602,
    ],
    ["no capabilities", "tools/list", without(CAPABILITIES), {}, 400, -32602],
    ["no version header", "tools/list", {}, { "mcp-protocol-version": undefined }, 400, -32020],
    [
      "another version header",
      "tools/list",
      {},
      { "mcp-protocol-version": "2025-11-25" },
      400,
      -32020,
    ],
    ["no method header", "tools/list", {}, { "mcp-method": undefined }, 400, -32020],
    ["another method header", "tools/list", {}, { "mcp-method": "tools/call" }, 400, -32020],
    ["a method header in capitals", "tools/list", {}, { "mcp-method": "Tools/List" }, 400, -32020],
    [
      "no name header",
      "tools/call",
      { name: "list_topics" },
      { "mcp-name": undefined },
      400,
      -32020,
    ],
    [
      "another name header",
      "tools/call",
      { name: "list_topics" },
      { "mcp-name": "x" },
      400,
      -32020,
    ],
    [
      "another address header",
      "resources/read",
      { uri: READ_URI },
      { "mcp-name": "/" },
      400,
      -32020,
    ],
    [
      "no prompt header",
      "prompts/get",
      { name: "research_topic" },
      { "mcp-name": "" },
      400,
      -32020,
    ],
    [
      "a broken name header",
      "tools/call",
      { name: "a" },
      { "mcp-name": "=?base64?*?=" },
      400,
      -32020,
    ],
    ["half a Base64 name", "tools/call", { name: "a" }, { "mcp-name": "=?base64?YQ" }, 400, -32020],
    ["a name header beyond ASCII", "tools/call", { name: "é" }, { "mcp-name": "é" }, 400, -32020],
    [
      "Base64 without padding",
      "tools/call",
      { name: "a" },
      { "mcp-name": "=?base64?YQ?=" },
      400,
      -32020,
    ],
    [
      "Base64 with a space",
      "tools/call",
      { name: "a" },
      { "mcp-name": "=?base64?Y Q==?=" },
      400,
      -32020,
    ],
    [
      "Base64 of no UTF-8",
      "tools/call",
      { name: "a" },
      { "mcp-name": "=?base64?/w==?=" },
      400,
      -32020,
    ],
    ["a call without a name", "tools/call", {}, { "mcp-name": "x" }, 400, -32020],
    [
      "an unknown version",
      "tools/list",
      { _meta: { ...META, [VERSION]: "1900-01-01" } },
      { "mcp-protocol-version": "1900-01-01" },
      400,
      -32022,
    ],
    [
      "a version that needs initialize",
      "tools/list",
      { _meta: { ...META, [VERSION]: "2025-11-25" } },
      { "mcp-protocol-version": "2025-11-25" },
      400,
      -32022,
    ],
    ["an unknown method", "tools/destroy", {}, {}, 404, -32601],
    ["initialize", "initialize", {}, {}, 404, -32601],
    ["ping", "ping", {}, {}, 404, -32601],
    ["a subscription", "subscriptions/listen", {}, {}, 404, -32601],
    ["a log level", "logging/setLevel", { level: "debug" }, {}, 404, -32601],
    ["an unknown tool", "tools/call", { name: "write_content" }, {}, 200, -32602],
    ["arguments in a list", "tools/call", { name: "list_topics", arguments: [] }, {}, 200, -32602],
    ["an unknown prompt", "prompts/get", { name: "x" }, {}, 200, -32602],
    ["a prompt without its argument", "prompts/get", { name: "research_topic" }, {}, 200, -32602],
    [
      "an argument that is no text",
      "prompts/get",
      { name: "research_topic", arguments: { topic: 1 } },
      {},
      200,
      -32602,
    ],
    ["an absent resource", "resources/read", { uri: `${READ_URI}x` }, {}, 200, -32602],
    [
      "another site's resource",
      "resources/read",
      { uri: "https://other.example/" },
      {},
      200,
      -32602,
    ],
    [
      "half a character in an address",
      "resources/read",
      { uri: "\ud800" },
      { "mcp-name": "=?base64?7aCA?=" },
      400,
      -32020,
    ],
    ["a cursor that is no text", "resources/list", { cursor: 5 }, {}, 200, -32602],
    ["a cursor never given", "resources/list", { cursor: "x" }, {}, 200, -32602],
    ["a cursor for tools", "tools/list", { cursor: "x" }, {}, 200, -32602],
    ["a completion of nothing", "completion/complete", {}, {}, 200, -32602],
    [
      "a completion of an unknown prompt",
      "completion/complete",
      { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: "" } },
      {},
      200,
      -32602,
    ],
  ];
  for (const [what, method, params, headers, status, code] of MISTAKES) {
    it(`answers ${status}/${code} to ${what}`, async () => {
      const reply = await service.modern(method, params, headers);
      assert.deepEqual(
        [reply.status, reply.body.error.code],
        [status, code],
        reply.body.error.message,
      );
      assert.equal(typeof reply.body.id, "number");
    });
  }

  it("names the versions it supports", async () => {
    const _meta = { ...META, [VERSION]: "2099-01-01" };
    const headers = { "mcp-protocol-version": "2099-01-01" };
    const { data } = (await service.modern("tools/list", { _meta }, headers)).body.error;
    assert.equal(data.requested, "2099-01-01");
    assert.equal(data.supported[0], "2026-07-28");
  });

  it("decodes a name header in Base64, as names beyond ASCII need", async () => {
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
    const call = { name: "list_topics" };
    const reply = await service.modern("tools/call", call, { "mcp-name": encoded("list_topics") });
    assert.equal(reply.body.result.isError, undefined);
    const absent = await service.modern(
      "tools/call",
      { name: "thème" },
      { "mcp-name": encoded("thème") },
    );
    assert.match(absent.body.error.message, /Unknown tool "thème"/);
  });

  it("uses the site's new name immediately", async () => {
    await using own = await openMcpService();
    const title = async () => {
      const { result } = (await own.modern("server/discover")).body;
      return result._meta["io.modelcontextprotocol/serverInfo"].title;
    };
    assert.equal(await title(), "Quotations Association");
    await own.saveProfile({ name: "Society of Quotations" });
    assert.equal(await title(), "Society of Quotations");
  });

  it("ignores session ids and event ids", async () => {
    const headers = { "mcp-session-id": "x", "last-event-id": "y" };
    const reply = await service.modern("tools/list", {}, headers);
    assert.equal(reply.status, 200);
    assert.equal("Mcp-Session-Id" in reply.headers, false);
  });
});

describe("revisions before 2026-07-28", () => {
  const NEGOTIATED: [unknown, string][] = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2024-11-05"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
    ["latest", "2025-11-25"],
    [5, "2025-11-25"],
    [undefined, "2025-11-25"],
  ];
  for (const [asked, answered] of NEGOTIATED) {
    it(`answers initialize with ${String(asked)} by ${answered}`, async () => {
      const params = {
        protocolVersion: asked,
        capabilities: {},
        clientInfo: { name: "a", version: "1" },
      };
      const { headers, body } = await service.legacy("initialize", params);
      assert.equal(body.result.protocolVersion, answered);
      assert.deepEqual(body.result.serverInfo, SERVER_INFO);
      assert.deepEqual(body.result.capabilities, {
        tools: {},
        resources: {},
        prompts: {},
        completions: {},
      });
      assert.equal("Mcp-Session-Id" in headers, false);
    });
  }

  it("answers initialize whatever the version header says", async () => {
    for (const version of ["2026-07-28", "2099-01-01", "x"]) {
      const initialized = await service.raw({
        headers: { "mcp-protocol-version": version },
        body: JSON.stringify({ jsonrpc: "2.0", id: "a", method: "initialize", params: {} }),
      });
      assert.equal(initialized.body.id, "a");
      assert.equal(initialized.body.result.protocolVersion, "2025-11-25");
    }
  });

  it("answers ping", async () => {
    assert.deepEqual((await service.legacy("ping")).body.result, {});
  });

  it("accepts notifications without a body", async () => {
    for (const method of ["notifications/initialized", "notifications/cancelled", "x"]) {
      const reply = await service.raw({ body: JSON.stringify({ jsonrpc: "2.0", method }) });
      assert.deepEqual([reply.status, reply.body], [202, null]);
    }
  });

  it("serves every older version by its header, or without", async () => {
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", undefined]) {
      const { body } = await service.legacy("tools/list", {}, { "mcp-protocol-version": version });
      assert.equal(body.result.tools.length, TOOLS.length);
      assert.deepEqual(Object.keys(body.result), ["tools"]);
    }
  });

  const MISTAKES: [string, string, object, Headers, number, number][] = [
    [
      "an unknown version header",
      "tools/list",
      {},
      { "mcp-protocol-version": "1999-01-01" },
      400,
      -32022,
    ],
    [
      "a version header of the present era",
      "tools/list",
      {},
      { "mcp-protocol-version": "2026-07-28" },
      400,
      -32602,
    ],
    ["an unknown method", "tools/destroy", {}, {}, 200, -32601],
    ["discover", "server/discover", {}, {}, 200, -32601],
    ["a method named like a member of objects", "__proto__", {}, {}, 200, -32601],
    ["an absent resource", "resources/read", { uri: `${READ_URI}x` }, {}, 200, -32002],
    ["an unknown tool", "tools/call", { name: "x" }, {}, 200, -32602],
    ["a call without a name", "tools/call", {}, {}, 200, -32602],
    ["half a character in an address", "resources/read", { uri: "\ud800" }, {}, 200, -32002],
  ];
  for (const [what, method, params, headers, status, code] of MISTAKES) {
    it(`answers ${status}/${code} to ${what}`, async () => {
      const reply = await service.legacy(method, params, headers);
      assert.deepEqual(
        [reply.status, reply.body.error.code],
        [status, code],
        reply.body.error.message,
      );
    });
  }
});
