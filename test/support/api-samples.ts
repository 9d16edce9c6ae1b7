import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { changeEntry } from "../../src/access/audit.ts";
import { requestKey } from "../../src/access/submissions/key-requests.ts";
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
const LINES = { "Content-Type": "application/x-ndjson" };

/**
 * Good requests by method and path of their route; each is made anew, on things of its own. GETs
 * without parts in their path need none.
 */
export function sampleRequests(api: ApiClient): ReadonlyMap<string, () => Promise<Sample>> {
  let count = 0;
  const unique = () => `sample-${++count}`;
  const made = async (path: string, options: ApiRequest): Promise<string> => {
    const answer: ApiAnswer = await api.request("POST", path, options);
    assert(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body.id;
  };
  const topic = (status: string) => ({ type: "topic", title: unique(), status });
  const item = (status = "draft") => made("/content", { body: topic(status) });
  const medium = () => {
    const bytes = largePng(1, 1, Buffer.from(unique()));
    return made("/media", { body: bytes, headers: { "Content-Type": "image/png" } });
  };
  const redirect = async () =>
    await made("/redirects", { body: { from: `/old/${unique()}`, to: "/about" } });
  const hook = () => made("/webhooks", { body: hookBody });
  const hookBody = { url: "https://93.184.215.14/in", events: ["key.issue"] };
  const keyBody = () => ({ name: unique(), scopes: ["mcp:read"] });
  const key = () => made("/keys", { body: keyBody() });
  const adminBody = () => ({
    email: `${unique()}@example.org`,
    name: "Ada",
    role: "viewer",
  });
  const admin = () => made("/admins", { body: adminBody() });
  const job = () => made("/exports", {});
  const triedTable = async () => {
    const table = { body: "title\nOne\n", headers: { "Content-Type": "text/csv" } };
    const id = await made("/imports?dryRun=true", table);
    await until(async () => (await api.request("GET", `/jobs/${id}`)).body.endedAt !== null);
    return id;
  };
  const dealing = () => ({
    now: api.clock.now,
    requestId: unique(),
    origin: ORIGIN,
    sendsMail: false,
  });
  const person = { name: "Ada", email: "ada@example.org" };
  const message = async () => {
    const { stores } = api.app.apiParts;
    return (await receiveMessage(stores, { ...person, text: "Hello" }, dealing())).id;
  };
  const keyRequest = async () => {
    const asked = { ...person, organisation: "", task: "Read", data: "", access: "read" } as const;
    return (await requestKey(api.app.apiParts.stores, asked, dealing())).id;
  };

  const samples = new Map<string, () => Promise<Sample>>();
  const on = (
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

  on("POST /media", none, () => ({
    body: largePng(1, 1, Buffer.from(unique())),
    headers: { "Content-Type": "image/png" },
  }));
  on("GET /media/{id}", medium);
  on("PATCH /media/{id}", medium, () => ({ body: { alt: "A dot" } }));
  on("DELETE /media/{id}", medium);
  let other = "";
  const mediumBesideOther = async () => {
    other = await medium();
    return await medium();
  };
  on("POST /media/{id}/replace", mediumBesideOther, () => ({ body: { with: other } }));
  on("POST /removed-media/{id}/restore", async () => {
    const id = await medium();
    await api.request("DELETE", `/media/${id}`, { headers: ANY });
    return id;
  });

  on("POST /content", none, () => ({ body: topic("draft") }));
  on("GET /content/{id}", item);
  on("PATCH /content/{id}", item, () => ({ body: { summary: "Said otherwise" } }));
  on("POST /content/bulk", none, () => ({
    body: JSON.stringify({ ...topic("draft"), sourceKey: unique() }),
    headers: LINES,
  }));
  on("POST /content/{id}/publish", item);
  on("POST /content/{id}/unpublish", () => item("published"));
  on("POST /content/{id}/schedule", item, () => ({
    body: { publishAt: new Date(api.clock.now.getTime() + 3_600_000).toISOString() },
  }));
  on("POST /content/{id}/archive", () => item("published"));
  on("DELETE /content/{id}", item);
  on("GET /content/{id}/references", item);
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
  on("POST /content/replacements", none, () => ({ body: { find: "patience", replace: "calm" } }));
  samples.set("POST /content/{id}/merge", async () => ({
    path: `/content/${await item()}/merge`,
    options: { body: { into: await item(), dryRun: false }, headers: ANY },
  }));
  on("GET /content/{id}/revisions", item);
  on("GET /content/{id}/revisions/{n}", item);
  on("GET /content/{id}/revisions/{n}/difference", item);
  on("POST /content/{id}/revisions/{n}/restore", item);
  on("GET /content/{id}/preview", item);
  on("POST /content/{id}/preview", item, () => ({ body: { summary: "Seen before" } }));

  const draft = () => made("/drafts", { body: { type: "topic", changes: { title: unique() } } });
  on("POST /drafts", none, () => ({ body: { type: "topic" } }));
  on("GET /drafts/{id}", draft);
  on("PATCH /drafts/{id}", draft, () => ({ body: { version: 1, changes: { summary: "New" } } }));
  on("DELETE /drafts/{id}", draft);
  on("GET /drafts/{id}/comparison", draft);
  on("GET /drafts/{id}/preview", draft);
  on("POST /drafts/{id}/schedule", draft, () => ({
    body: { publishAt: new Date(api.clock.now.getTime() + 3_600_000).toISOString() },
  }));
  on("POST /drafts/{id}/publish", draft);
  on("PUT /drafts/{id}/presence", draft);
  on("DELETE /drafts/{id}/presence", draft);
  on("GET /drafts/{id}/preview-codes", draft);
  on("POST /drafts/{id}/preview-codes", draft, () => ({ body: { note: "For Ben" } }));
  const code = async () => await made(`/drafts/${await draft()}/preview-codes`, { body: {} });
  on("DELETE /preview-codes/{id}", code);
  on("GET /drafts/{id}/notes", draft);
  on("POST /drafts/{id}/notes", draft, () => ({ body: { text: "Please check the date" } }));
  const note = async () =>
    await made(`/drafts/${await draft()}/notes`, { body: { text: "Which edition?" } });
  on("DELETE /draft-notes/{id}", note);
  on("POST /drafts/{id}/apply", draft);

  on("POST /redirects", none, () => ({ body: { from: `/old/${unique()}`, to: "/about" } }));
  on("GET /redirects/{id}", redirect);
  on("DELETE /redirects/{id}", redirect);
  on("PATCH /settings", none, () => ({ body: { description: "Said otherwise" } }));
  samples.set("PUT /settings/types", async () => {
    const path = "/settings/types";
    const { body } = await api.request("GET", path);
    return { path, options: { body: { types: body.types }, headers: ANY } };
  });

  on("POST /webhooks", none, () => ({ body: hookBody }));
  on("GET /webhooks/{id}", hook);
  on("PATCH /webhooks/{id}", hook, () => ({ body: { description: "Renamed" } }));
  on("DELETE /webhooks/{id}", hook);
  on("POST /webhooks/{id}/rotate-secret", hook);
  on("POST /webhooks/{id}/test", hook);
  on("GET /webhooks/{id}/deliveries", hook);

  on("POST /imports", none, () => ({ body: "", headers: LINES }));
  on("POST /exports", none);
  on("GET /jobs/{id}", job);
  on("DELETE /jobs/{id}", job);
  on("POST /jobs/{id}/repeat", triedTable, () => ({ body: { dryRun: true } }));

  on("POST /keys", none, () => ({ body: keyBody() }));
  on("GET /keys/{id}", key);
  on("PATCH /keys/{id}", key, () => ({ body: { name: unique() } }));
  on("DELETE /keys/{id}", key);
  on("POST /keys/{id}/rotate", key);
  on("GET /keys/{id}/usage", key);
  on("POST /keys/revoke", none, () => ({ body: { holder: unique() } }));
  on("POST /keys/{id}/narrow", async () => {
    const id = await key();
    const [day] = api.clock.now.toISOString().split("T");
    const { keyUse } = api.app.apiParts.stores;
    await keyUse.add([{ keyId: id, day: day ?? "", tool: "search_content", count: 1 }]);
    return id;
  });
  on("GET /key-requests/{id}", keyRequest);
  on("POST /key-requests/{id}/approve", keyRequest);
  on("POST /key-requests/{id}/decline", keyRequest, () => ({ body: { reason: "No" } }));
  on("GET /messages/{id}", message);
  on("PATCH /messages/{id}", message, () => ({ body: { state: "handled" } }));
  on("DELETE /messages/{id}", message);
  on("POST /admins", none, () => ({ body: adminBody() }));
  on("GET /admins/{id}", admin);
  on("PATCH /admins/{id}", admin, () => ({ body: { name: unique() } }));
  on("DELETE /admins/{id}", admin);
  on("POST /admins/{id}/code", admin);
  on("GET /admins/{id}/sessions", admin);
  on("DELETE /admins/{id}/sessions", admin);
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
      changeEntry("admin.passkey-add", adminId, { actor: OPERATOR, now: NOW }),
    );
    return { path: `/admins/${adminId}/passkeys`, options: {} };
  });
  return samples;
}
