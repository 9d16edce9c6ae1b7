import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { issueKey } from "../../src/access/keys/keys.ts";
import { openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createStarterSite } from "../../src/content/site/starter-site.ts";
import { createLog } from "../../src/log.ts";
import { ended, listening } from "../support/listening.ts";
import { sendTo } from "../support/send-to.ts";

it("is served at /mcp by the whole program", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-http-"));
  const config = readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent" });
  const app = await openApp(config, {
    log: createLog("silent"),
    seed: (record) => createStarterSite(record, new Date()),
  });
  const url = `http://127.0.0.1:${await listening(app.server)}/mcp`;
  const operator = { kind: "operator" } as const;
  const input = { name: "test", scopes: ["mcp:read"] } as const;
  const { key } = await issueKey(app.record.keys, operator, input, new Date());
  const requestOf = (body: string, headers: Record<string, string> = {}) => ({
    method: "POST",
    body,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
  });
  const post = (body: string, headers?: Record<string, string>) =>
    fetch(url, requestOf(body, headers));
  const message = (method: string, params?: object) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  try {
    const initialized = await post(message("initialize", { protocolVersion: "2025-06-18" }));
    assert.equal(initialized.status, 200);
    assert.equal(initialized.headers.get("content-type"), "application/json");
    assert.equal(initialized.headers.get("cache-control"), "no-store");
    assert.equal(initialized.headers.get("set-cookie"), null);
    const { result } = JSON.parse(await initialized.text());
    assert.equal(result.protocolVersion, "2025-06-18");

    const notified = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    assert.deepEqual([notified.status, await notified.text()], [202, ""]);
    const found = await post(
      message("tools/call", { name: "list_content", arguments: { type: "page" } }),
    );
    assert.match(await found.text(), /"items":\[\{"url":"[^"]*\/about"/);

    const foreign = '{"jsonrpc":"2.0","id":"é—😀","method":"ping"}';
    const pong = '{"jsonrpc":"2.0","id":"é—😀","result":{}}';
    assert.equal(await (await post(foreign)).text(), pong);
    const withoutSocket = await sendTo(app.http, url, requestOf(foreign, { host: "localhost" }));
    assert.equal(await withoutSocket.text(), pong);

    assert.equal((await fetch(url)).status, 401);
    assert.equal((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status, 405);
    assert.equal((await post("x", { "content-type": "text/plain" })).status, 415);
    assert.equal((await post("x".repeat(256 * 1024 + 1))).status, 413);
    assert.equal((await post("{")).status, 400);
    assert.equal((await post("[]")).status, 400);
    assert.equal((await post(message("ping"), { origin: "https://evil.example" })).status, 403);
  } finally {
    await ended(app.server);
    await app.close();
    rmSync(folder, { recursive: true });
  }
});
