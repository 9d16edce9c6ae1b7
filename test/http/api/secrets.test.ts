import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { type ApiClient, type ApiRequest, openApiClient } from "../../support/api-client.ts";
import { openBrowser } from "../../support/people.ts";
import { sendTo } from "../../support/send-to.ts";

/** What a secret looks like, found wherever it turns up. */
const SECRET = /cplc?_[0-9A-Za-z]{38}|cpls_[\w-]{43}|whsec_[0-9A-Za-z+/]{16,}=*/g;
const PASSWORD = "correct horse battery staple";
const PICTURE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');

it("shows a secret once, to its recipient only", async () => {
  await using api = await openApiClient();
  const life = livedBy(api);
  await issueAndRotate(life);
  await requestAndClaim(life);
  await makeWebhook(life);
  await keepAccounts(life);
  await sendSecretsToWrongPlaces(life);

  const told = [...life.told.values()];
  assert.equal(new Set(told).size, told.length, "no secret twice");
  assert.equal(told.length, 9);
  const secrets = [api.key, PASSWORD, ...told];

  const logged = api.app.logged.join("");
  assert(api.app.logged.length > 30);
  assert.doesNotMatch(logged, SECRET);
  for (const [where, text] of life.heard) {
    for (const secret of secrets) assert(!text.includes(secret), `${where}: ${text}`);
  }
  for (const secret of secrets) assert(!logged.includes(secret), `the log has ${secret}`);

  const audit = JSON.stringify(await api.app.sql("SELECT * FROM audit"));
  assert(audit.includes("key.issue") && audit.includes("request.approve"));
  for (const secret of secrets) assert(!audit.includes(secret), `the audit log has ${secret}`);

  const stored = readdirSync(api.app.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  for (const secret of secrets.filter((each) => !each.startsWith("whsec_"))) {
    assert(!stored.some((text) => text.includes(secret)), `the store has ${secret}`);
  }
});

interface Life {
  api: ApiClient;
  /** Secrets by where they were told, each the only time. */
  told: Map<string, string>;
  /** Everything else that was answered, headers included. */
  heard: [where: string, text: string][];
  ask(method: string, path: string, options?: ApiRequest): ReturnType<ApiClient["request"]>;
  /** A request whose answer tells a secret, in this field. */
  askForSecret(
    field: string,
    ...request: Parameters<ApiClient["request"]>
  ): ReturnType<ApiClient["request"]>;
  visit(path: string, form?: Record<string, string>): Promise<string>;
}

function livedBy(api: ApiClient): Life {
  const told = new Map<string, string>();
  const heard: [string, string][] = [];
  const ask: Life["ask"] = async (method, path, options) => {
    const answer = await api.request(method, path, options);
    heard.push([`${method} ${path}`, `${JSON.stringify([...answer.headers])}${answer.text}`]);
    return answer;
  };
  return {
    api,
    told,
    heard,
    ask,
    async askForSecret(field, method, path, options) {
      const answer = await api.request(method, path, options);
      assert(answer.status < 300, answer.text);
      const found = answer.text.match(SECRET) ?? [];
      assert.deepEqual(found, [answer.body[field]], `${method} ${path}`);
      told.set(`${method} ${path} ${told.size}`, answer.body[field]);
      heard.push([`${method} ${path}`, JSON.stringify([...answer.headers])]);
      return answer;
    },
    async visit(path, form) {
      const response = await sendTo(api.app.http, path, {
        headers: { Accept: "text/html", Origin: "https://quotations.example" },
        ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
      });
      return await response.text();
    },
  };
}

async function issueAndRotate({ ask, askForSecret }: Life): Promise<void> {
  const body = { name: "Reader", scopes: ["mcp:read"] };
  const headers = { "Idempotency-Key": "issue-1" };
  const { body: key, text } = await askForSecret("key", "POST", "/keys", { body, headers });
  const replay = await ask("POST", "/keys", { body: { ...body, name: "Other" }, headers });
  assert.equal(replay.status, 422);
  const path = `/keys/${key.id}`;
  const any = { headers: { "If-Match": "*" } };
  await ask("GET", "/keys");
  await ask("GET", path);
  await ask("GET", `${path}/usage`);
  await ask("PATCH", path, { ...any, body: { name: "Renamed", owner: key.key.slice(0, 20) } });
  await askForSecret("key", "POST", `${path}/rotate`, any);
  assert(text.includes(key.key));
  await ask("DELETE", path, any);
}

async function openContactPage({ api, visit }: Life): Promise<{ opened: string; link: string }> {
  const page = await visit("/contact");
  api.clock.now = new Date(api.clock.now.getTime() + 60_000);
  return { opened: /name="opened" value="([^"]+)"/.exec(page)?.[1] ?? "", link: "" };
}

async function requestAndClaim(life: Life): Promise<void> {
  const { ask, askForSecret, visit, told } = life;
  const sent = await visit("/contact", {
    ...(await openContactPage(life)),
    form: "key-request",
    name: "Ada",
    email: "ada@example.org",
    organisation: "",
    task: "Look up quotations",
    data: "All of them",
    access: "read",
  });
  assert.doesNotMatch(sent, SECRET);
  const { body: list } = await ask("GET", "/key-requests");
  const path = `/key-requests/${list.items[0].id}`;
  const any = { headers: { "If-Match": "*" } };
  const { body } = await askForSecret("code", "POST", `${path}/approve`, any);
  await ask("GET", path);
  const claimed = await visit("/contact/claim", { form: "claim", code: body.code });
  const [key = "", ...others] = claimed.match(SECRET) ?? [];
  assert.match(key, /^cpl_/);
  assert(others.every((other) => other === key));
  told.set("claim", key);
  life.api.clock.now = new Date(life.api.clock.now.getTime() + 60_000);
  const again = await visit("/contact/claim", { form: "claim", code: body.code });
  assert.doesNotMatch(again, SECRET);
  await ask("GET", path);
}

async function makeWebhook({ ask, askForSecret }: Life): Promise<void> {
  const body = { url: "https://hooks.example/in?token=hidden", events: ["key.issue"] };
  const { body: hook } = await askForSecret("secret", "POST", "/webhooks", { body });
  const path = `/webhooks/${hook.id}`;
  const any = { headers: { "If-Match": "*" } };
  await askForSecret("secret", "POST", `${path}/rotate-secret`, any);
  await ask("GET", path);
  await ask("PATCH", path, { ...any, body: { description: "Renamed" } });
  await ask("POST", `${path}/test`);
  await ask("GET", `${path}/deliveries`);
  await ask("DELETE", path, any);
}

async function keepAccounts({ api, ask, askForSecret, told, heard }: Life): Promise<void> {
  const body = { email: "ada@example.org", name: "Ada", role: "viewer" };
  const { body: made } = await askForSecret("code", "POST", "/admins", { body });
  const browser = openBrowser(api.app);
  const send = async (path: string, form: Record<string, string>) => {
    const { status, text } = await browser.send(path, form);
    heard.push([path, text]);
    return status;
  };
  const claim = { code: made.code, "new-password": PASSWORD };
  assert.equal(await send("/admin/claim", claim), 303);
  assert.equal(await send("/admin/claim", claim), 404);
  const entering = { email: body.email, password: PASSWORD };
  assert.equal(await send("/admin/sign-in", { ...entering, password: `${PASSWORD}!` }), 401);
  assert.equal(await send("/admin/sign-in", { ...entering, email: PASSWORD }), 401);
  assert.equal(await send("/admin/sign-in", entering), 303);
  const [token = ""] = browser.cookies.values();
  told.set("session", token);
  heard.push(["account", (await browser.get("/admin/account")).text]);
  heard.push(["refused", (await browser.get(`/admin/account?token=${token}`)).text]);
  await askForSecret("code", "POST", `/admins/${made.id}/code`, { body: { showCode: true } });
  await ask("GET", `/admins/${made.id}/sessions`);
  await ask("GET", `/admins/${made.id}`);
  await ask("GET", "/audit?limit=100");
  await ask("GET", "/audit/export");
}

/** Where people and programs put keys that do not belong there. */
async function sendSecretsToWrongPlaces(life: Life): Promise<void> {
  const { api, ask, heard, visit } = life;
  const { key } = api;
  const wrong: [method: string, path: string, options?: ApiRequest][] = [
    ["GET", `/keys/${key}`],
    ["GET", `/content?key=${key}`],
    ["GET", `/content?text=${encodeURIComponent(encodeURIComponent(key))}`],
    ["GET", "/content", { key: null, headers: { Authorization: `Basic ${key}` } }],
    ["GET", "/content", { key: null, headers: { Authorization: `Bearer ${key} ${key}` } }],
    ["GET", "/content", { key: null, headers: { Authorization: `Bearer ${key}x` } }],
    ["GET", "/content", { key: null, headers: { "X-Api-Key": key } }],
    ["POST", "/keys", { body: { [key]: 1 } }],
    ["POST", "/keys", { body: { name: "A", scopes: [key] } }],
    ["POST", "/keys", { body: { name: "A", scopes: ["mcp:read"], networks: [key] } }],
    ["POST", "/content", { body: { type: key, title: "A" } }],
    ["POST", "/content", { body: { type: "page", title: "A", path: `/${key}` } }],
    ["POST", "/content", { body: { type: "topic", title: "A", body: `Mine is ${key}.` } }],
    ["POST", "/content", { body: { type: "topic", title: "A", fields: { aliases: [key] } } }],
    ["POST", "/redirects", { body: { from: `/old/${key}`, to: "/about" } }],
    ["PATCH", "/settings", { body: { description: `Use ${key}` }, headers: { "If-Match": "*" } }],
    ["POST", "/webhooks", { body: { url: `https://hooks.example/${key}`, events: ["*"] } }],
    ["POST", "/admins", { body: { email: "b@x.org", name: "B", role: key } }],
    ["POST", "/media", { body: PICTURE, headers: { "Content-Disposition": `x; filename=${key}` } }],
    ["POST", "/content", { body: key, headers: { "Content-Type": "application/json" } }],
    ["POST", "/webhooks", { body: { url: `ftp://${key}`, events: [key] } }],
    ["PATCH", "/content/1", { body: { title: "A" }, headers: { "If-Match": `"${key}"` } }],
    ["POST", "/content", { body: {}, headers: { "Content-Type": key } }],
  ];
  for (const [method, path, options] of wrong) {
    const { status } = await ask(method, path, options);
    assert(status >= 400 && status < 500, `${method} ${path}: ${status}`);
  }
  const headers = { "Content-Type": "application/x-ndjson" };
  const lines = [
    { type: "page", title: "A", path: `/${key}`, sourceKey: "a" },
    { type: "topic", title: `Mine is ${key}`, sourceKey: "b" },
    { type: "topic", title: "A", sourceKey: key },
    { type: key, title: "A", sourceKey: "d" },
    { type: "quotation", title: "A", sourceKey: "e", topics: [key] },
  ];
  const body = lines.map((line) => JSON.stringify(line)).join("\n");
  const { text } = await ask("POST", "/content/bulk", { body, headers });
  assert.equal(text.match(/"outcome":"failed"/g)?.length, lines.length, text);
  const opened = await openContactPage(life);
  const message = { ...opened, form: "message", email: "a@x.org", text: `${key} does not work` };
  heard.push(["no name", await visit("/contact", message)]);
  heard.push(["sent", await visit("/contact", { ...message, name: "Ada" })]);
  const messages = await ask("GET", "/messages");
  assert.equal(messages.body.items[0].text, "cpl_[redacted] does not work");
  for (const path of [`/${key}`, `/search?q=${key}`, `/contact/claim?code=${key}`]) {
    heard.push([path, await (await api.app.get(path, { accept: "text/html" })).text()]);
  }
}
