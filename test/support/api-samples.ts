import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { auditEntryForChange } from "../../src/access/audit.ts";
import { receiveKeyRequest } from "../../src/access/submissions/key-requests.ts";
import { receiveMessage } from "../../src/access/submissions/messages.ts";
import type { ApiAnswer, ApiClient, ApiRequest } from "./api-client.ts";
import { largePng } from "./media-bytes.ts";
import { NOW, ORIGIN } from "./open-fixture.ts";
import { OPERATOR } from "./record-store.ts";
import { until } from "./until.ts";

/** A request that a route answers with success. */
export interface Sample {
  path: string;
  options: ApiRequest;
}

const ANY = { "If-Match": "*" };
const TEXT = { headers: { "Content-Type": "text/plain" } };
const LINES = { "Content-Type": "application/x-ndjson" };

/**
 * Valid requests by method and path of their route. Each request is created separately, with its own data.
 * GET routes without parameters need none.
 */
export function sampleRequests(api: ApiClient): ReadonlyMap<string, () => Promise<Sample>> {
  let count = 0;
  const unique = () => `sample-${++count}`;
  const create = async (path: string, options: ApiRequest): Promise<string> => {
    const answer: ApiAnswer = await api.request("POST", path, options);
    assert(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.id;
  };
  const topic = (status: string) => ({ type: "topic", title: unique(), status });
  const item = (status = "draft") => create("/content", { body: topic(status) });
  const medium = () => {
    const bytes = largePng(1, 1, Buffer.from(unique()));
    return create("/media", { body: bytes, headers: { "Content-Type": "image/png" } });
  };
  const redirect = async () =>
    await create("/redirects", { body: { from: `/old/${unique()}`, to: "/about" } });
  const hook = () => create("/webhooks", { body: hookBody });
  const hookBody = { url: "https://93.184.215.14/in", events: ["key.issue"] };
  const keyBody = () => ({ name: unique(), scopes: ["mcp:read"] });
  const key = () => create("/keys", { body: keyBody() });
  const adminBody = () => ({
    email: `${unique()}@example.org`,
    name: "Ada",
    role: "viewer",
  });
  const admin = () => create("/admins", { body: adminBody() });
  const job = () => create("/exports", {});
  const triedTable = async () => {
    const table = { body: "title\nOne\n", headers: { "Content-Type": "text/csv" } };
    const id = await create("/imports?dryRun=true", table);
    await until(async () => (await api.request("GET", `/jobs/${id}`)).body.endedAt !== null);
    return id;
  };
  const requestContext = () => ({
    now: api.clock.now,
    requestId: unique(),
    origin: ORIGIN,
    sendsMail: false,
  });
  const person = { name: "Ada", email: "ada@example.org" };
  const message = async () => {
    const { stores } = api.app.apiParts;
    return (await receiveMessage(stores, { ...person, text: "Hello" }, requestContext())).id;
  };
  const keyRequest = async () => {
    const asked = { ...person, organisation: "", task: "Read", data: "", access: "read" } as const;
    return (await receiveKeyRequest(api.app.apiParts.stores, asked, requestContext())).id;
  };

  const samples = new Map<string, () => Promise<Sample>>();
  const addSample = (
    name: string,
    id: () => Promise<string>,
    options: () => ApiRequest = () => ({}),
  ): void => {
    samples.set(name, async () => {
      const [, path = ""] = name.split(" ");
      const found = path.includes("{id}") ? await id() : "";
      const given = options();
      return {
        path: path.replace("{id}", found).replace("{n}", "1"),
        options: { ...given, headers: { ...ANY, ...given.headers } },
      };
    });
  };
  const none = async () => "";

  addSample("POST /media", none, () => ({
    body: largePng(1, 1, Buffer.from(unique())),
    headers: { "Content-Type": "image/png" },
  }));
  addSample("GET /media/{id}", medium);
  addSample("PATCH /media/{id}", medium, () => ({ body: { alt: "A dot" } }));
  addSample("DELETE /media/{id}", medium);
  let other = "";
  const mediumBesideOther = async () => {
    other = await medium();
    return await medium();
  };
  addSample("POST /media/{id}/replace", mediumBesideOther, () => ({ body: { with: other } }));
  addSample("POST /removed-media/{id}/restore", async () => {
    const id = await medium();
    await api.request("DELETE", `/media/${id}`, { headers: ANY });
    return id;
  });

  addSample("POST /content", none, () => ({ body: topic("draft") }));
  addSample("GET /content/{id}", item);
  addSample("PATCH /content/{id}", item, () => ({ body: { summary: "Said otherwise" } }));
  addSample("POST /content/bulk", none, () => ({
    body: JSON.stringify({ ...topic("draft"), sourceKey: unique() }),
    headers: LINES,
  }));
  addSample("POST /content/{id}/publish", item);
  addSample("POST /content/{id}/unpublish", () => item("published"));
  addSample("POST /content/{id}/schedule", item, () => ({
    body: { publishAt: new Date(api.clock.now.getTime() + 3_600_000).toISOString() },
  }));
  addSample("POST /content/{id}/archive", () => item("published"));
  addSample("DELETE /content/{id}", item);
  addSample("GET /content/{id}/references", item);
  samples.set("POST /content/links", async () => ({
    path: "/content/links",
    options: {
      body: { action: "link", relation: "broader", items: [await item()], targets: [await item()] },
    },
  }));
  samples.set("POST /content/statuses", async () => ({
    path: "/content/statuses",
    options: { body: { action: "delete", items: [await item()], references: "keep" } },
  }));
  addSample("POST /content/replacements", none, () => ({
    body: { find: "patience", replace: "calm" },
  }));
  samples.set("POST /content/{id}/merge", async () => ({
    path: `/content/${await item()}/merge`,
    options: { body: { into: await item(), dryRun: false }, headers: ANY },
  }));
  addSample("GET /content/{id}/revisions", item);
  addSample("GET /content/{id}/revisions/{n}", item);
  addSample("GET /content/{id}/revisions/{n}/difference", item);
  addSample("POST /content/{id}/revisions/{n}/restore", item);
  addSample("GET /content/{id}/preview", item);
  addSample("POST /content/{id}/preview", item, () => ({ body: { summary: "Seen before" } }));

  const draft = () => create("/drafts", { body: { type: "topic", changes: { title: unique() } } });
  addSample("POST /drafts", none, () => ({ body: { type: "topic" } }));
  addSample("GET /drafts/{id}", draft);
  addSample("PATCH /drafts/{id}", draft, () => ({
    body: { version: 1, changes: { summary: "New" } },
  }));
  addSample("DELETE /drafts/{id}", draft);
  addSample("GET /drafts/{id}/comparison", draft);
  addSample("GET /drafts/{id}/preview", draft);
  addSample("POST /drafts/{id}/schedule", draft, () => ({
    body: { publishAt: new Date(api.clock.now.getTime() + 3_600_000).toISOString() },
  }));
  addSample("POST /drafts/{id}/publish", draft);
  addSample("PUT /drafts/{id}/presence", draft);
  addSample("DELETE /drafts/{id}/presence", draft);
  addSample("GET /drafts/{id}/preview-codes", draft);
  addSample("POST /drafts/{id}/preview-codes", draft, () => ({ body: { note: "For Ben" } }));
  const code = async () => await create(`/drafts/${await draft()}/preview-codes`, { body: {} });
  addSample("DELETE /preview-codes/{id}", code);
  addSample("GET /drafts/{id}/notes", draft);
  addSample("POST /drafts/{id}/notes", draft, () => ({ body: { text: "Please check the date" } }));
  const note = async () =>
    await create(`/drafts/${await draft()}/notes`, { body: { text: "Which edition?" } });
  addSample("DELETE /draft-notes/{id}", note);
  const inReview = async () => await create(`/drafts/${await draft()}/review`, { body: {} });
  addSample("POST /drafts/{id}/review", draft, () => ({ body: { note: "Is the date right?" } }));
  addSample("DELETE /drafts/{id}/review", inReview);
  addSample("POST /drafts/{id}/send-back", inReview, () => ({ body: { note: "It was 1848" } }));
  addSample("POST /drafts/{id}/apply", draft);

  addSample("POST /redirects", none, () => ({ body: { from: `/old/${unique()}`, to: "/about" } }));
  addSample("POST /redirects/check", none, () => ({ body: "/about\n", ...TEXT }));
  addSample("GET /redirects/{id}", redirect);
  addSample("DELETE /redirects/{id}", redirect);
  addSample("PATCH /settings", none, () => ({ body: { description: "Said otherwise" } }));
  samples.set("PUT /settings/types", async () => {
    const path = "/settings/types";
    const { body } = await api.request("GET", path);
    return { path, options: { body: { types: body.types }, headers: ANY } };
  });

  samples.set("POST /links/recheck", async () => {
    const url = `https://${unique()}.example/`;
    const at = api.clock.now.toISOString();
    const links = [{ url, host: new URL(url).host, fault: null }];
    const walk = { round: at, type: null, after: null, endedAt: at };
    await api.app.apiParts.stores.links.addFound([{ itemId: unique(), links }], walk);
    return { path: "/links/recheck", options: { body: { urls: [url] } } };
  });

  addSample("POST /webhooks", none, () => ({ body: hookBody }));
  addSample("GET /webhooks/{id}", hook);
  addSample("PATCH /webhooks/{id}", hook, () => ({ body: { description: "Renamed" } }));
  addSample("DELETE /webhooks/{id}", hook);
  addSample("POST /webhooks/{id}/rotate-secret", hook);
  addSample("POST /webhooks/{id}/test", hook);
  addSample("GET /webhooks/{id}/deliveries", hook);

  addSample("POST /imports", none, () => ({ body: "", headers: LINES }));
  addSample("POST /imports/site", none, () => ({ body: { address: "http://127.0.0.1:1/" } }));
  addSample("POST /exports", none);
  addSample("GET /jobs/{id}", job);
  addSample("DELETE /jobs/{id}", job);
  addSample("POST /jobs/{id}/repeat", triedTable, () => ({ body: { dryRun: true } }));

  addSample("POST /keys", none, () => ({ body: keyBody() }));
  addSample("GET /keys/{id}", key);
  addSample("PATCH /keys/{id}", key, () => ({ body: { name: unique() } }));
  addSample("DELETE /keys/{id}", key);
  addSample("POST /keys/{id}/rotate", key);
  addSample("GET /keys/{id}/usage", key);
  addSample("POST /keys/revoke", none, () => ({ body: { holder: unique() } }));
  addSample("POST /keys/{id}/narrow", async () => {
    const id = await key();
    const [day] = api.clock.now.toISOString().split("T");
    const { keyUse } = api.app.apiParts.stores;
    await keyUse.add([{ keyId: id, day: day ?? "", tool: "search_content", count: 1 }]);
    return id;
  });
  addSample("GET /key-requests/{id}", keyRequest);
  addSample("POST /key-requests/{id}/approve", keyRequest);
  addSample("POST /key-requests/{id}/decline", keyRequest, () => ({ body: { reason: "No" } }));
  addSample("GET /messages/{id}", message);
  addSample("PATCH /messages/{id}", message, () => ({ body: { state: "handled" } }));
  addSample("DELETE /messages/{id}", message);
  addSample("POST /admins", none, () => ({ body: adminBody() }));
  addSample("GET /admins/{id}", admin);
  addSample("PATCH /admins/{id}", admin, () => ({ body: { name: unique() } }));
  addSample("DELETE /admins/{id}", admin);
  addSample("POST /admins/{id}/code", admin);
  addSample("GET /admins/{id}/sessions", admin);
  addSample("DELETE /admins/{id}/sessions", admin);
  samples.set("DELETE /admins/{id}/second-factor", async () => {
    const adminId = await admin();
    const factor = { adminId, secret: "A".repeat(32), confirmedAt: null, lastStep: 0 };
    await api.app.apiParts.stores.secondFactors.put({ ...factor, recoveryHashes: [] }, null);
    return { path: `/admins/${adminId}/second-factor`, options: {} };
  });
  samples.set("DELETE /admins/{id}/passkeys", async () => {
    const adminId = await admin();
    const made = { name: unique(), credentialId: unique(), publicKey: "", host: "a.example" };
    await api.app.apiParts.stores.passkeys.insert(
      {
        ...{ id: randomUUID(), adminId, ...made, counter: 0, isBackedUp: false },
        ...{ createdAt: NOW.toISOString(), usedAt: null },
      },
      auditEntryForChange("admin.passkey-add", adminId, { actor: OPERATOR, now: NOW }),
    );
    return { path: `/admins/${adminId}/passkeys`, options: {} };
  });
  return samples;
}
