import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SCOPES } from "../../src/access/actor.ts";
import { issueKey } from "../../src/access/keys/keys.ts";
import {
  keyRequestInputSchema,
  receiveKeyRequest,
} from "../../src/access/submissions/key-requests.ts";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { changeSettings } from "../../src/content/site/settings.ts";
import { createStarterSite, PLACEHOLDER_EMAIL } from "../../src/content/site/starter-site.ts";
import type { Loose } from "../support/api-client.ts";
import { openCommandLine, openSiteLine } from "../support/command-line.ts";
import { MESSAGE, openContactSite, REQUEST } from "../support/contact.ts";
import { LOGIN, openMailServer } from "../support/mail-server.ts";
import { sendTo } from "../support/send-to.ts";
import { serve } from "../support/served.ts";
import { found } from "../support/until.ts";

const OPERATOR = { kind: "operator" } as const;

describe("from a form to a working key", () => {
  it("leads by mail, with nothing secret in the log", async () => {
    await using mailServer = await openMailServer({ login: true });
    const { mail } = readConfig({ SMTP_URL: mailServer.url });
    await using site = await openContactSite({ config: { mail } });
    const { record } = site.app;
    const admin = await issueKey(
      record.keys,
      OPERATOR,
      { name: "admin", scopes: SCOPES.filter((scope) => scope !== "mcp:read") },
      site.clock.now,
    );
    const ask = async (method: string, path: string, body?: object): Promise<Loose> => {
      const response = await sendTo(site.app.http, `/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${admin.key}`,
          "Content-Type": "application/json",
          "If-Match": "*",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return await response.json();
    };
    const arrived = async (count: number) =>
      await found(() =>
        mailServer.caught.length >= count ? mailServer.caught[count - 1] : undefined,
      );

    assert.equal((await site.send("key-request", REQUEST)).status, 303);
    const notice = await arrived(1);
    assert.deepEqual(notice.to, ["editors@quotations.example"]);
    assert.match(notice.headers.get("reply-to") ?? "", /Ada Lovelace <ada@reader\.example>/);
    assert.match(notice.text, /> Find what was said about time/);
    const [request] = (await ask("GET", "/key-requests?state=pending")).items;
    assert(notice.text.includes(request.id));

    const approved = await ask("POST", `/key-requests/${request.id}/approve`, {});
    assert.equal(approved.code, null, "the administrator need not see the code");
    const letter = await arrived(2);
    assert.deepEqual(letter.to, ["ada@reader.example"]);
    const [code = ""] = /cplc_\w+/.exec(letter.text) ?? [];
    assert.match(
      letter.text,
      /^Enter it at https:\/\/quotations\.example\/contact\/claim by 27 November 2026, 12:01 UTC\./m,
    );
    const { mails } = await found(async () => {
      const read = await ask("GET", `/key-requests/${request.id}`);
      return read.mails[1]?.state === "sent" ? read : undefined;
    });
    assert.deepEqual(
      mails.map(({ kind, to }: { kind: string; to: string }) => `${kind} ${to}`),
      ["key-request-arrived editors@quotations.example", "key-approved ada@reader.example"],
    );

    const html = await (await site.claim(code)).text();
    const [key = ""] = /cpl_\w{38}/.exec(html) ?? [];
    const mcp = await sendTo(site.app.http, "/mcp", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        Host: "quotations.example",
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    assert.equal(mcp.status, 200);
    assert.match(await mcp.text(), /search_content/);

    assert.equal((await site.send("key-request", { ...REQUEST, name: "Charles" })).status, 303);
    await arrived(3);
    const [other] = (await ask("GET", "/key-requests?state=pending")).items;
    await ask("POST", `/key-requests/${other.id}/decline`, {
      reason: "Not our field\nTry the library",
    });
    const refusal = await arrived(4);
    assert.match(refusal.text, /> Not our field\n> Try the library/);
    await site.send("message", { ...MESSAGE, text: "Hello\nBcc: x" });
    const message = await arrived(5);
    assert.match(message.text, /> Hello\n> Bcc: x/);
    assert.equal(message.headers.get("subject"), "A message to Quotations Association");

    const told = site.app.logged.join("") + JSON.stringify((await ask("GET", "/audit")).items);
    for (const secret of [
      key,
      code,
      LOGIN.password,
      encodeURIComponent(LOGIN.password),
      "ada@reader",
    ]) {
      assert(!told.includes(secret), `${secret} is told`);
    }
  });

  it("mails no address that the editors did not state", async () => {
    await using mailServer = await openMailServer({ login: true });
    const { mail } = readConfig({ SMTP_URL: mailServer.url });
    await using site = await openContactSite({ config: { mail } });
    const state = async (email: string) =>
      await changeSettings(
        site.app.record.content,
        OPERATOR,
        { contact: { email } },
        { now: site.clock.now },
      );
    await state(PLACEHOLDER_EMAIL);
    assert.equal((await site.send("message", { ...MESSAGE, text: "Too early" })).status, 303);
    await state("office@quotations.example");
    await site.send("message", { ...MESSAGE, text: "In time" });
    const message = await found(() => mailServer.caught[0]);
    assert.deepEqual(message.to, ["office@quotations.example"]);
    assert.match(message.text, /> In time/);
    const kept = await site.app.record.messages.list({ state: null, before: null, limit: 10 });
    assert.equal(kept.length, 2);
  });

  it("leads without mail by the command line, beside a running server", async () => {
    using shell = await openSiteLine({ DEMO: "0" });
    await using server = await serve(shell);
    const page = await (await fetch(`${server.origin}/contact`)).text();
    const [, opened = ""] = / name="opened" value="([^"]+)"/.exec(page) ?? [];
    await new Promise((resolve) => setTimeout(resolve, 3100));
    const sent = await fetch(`${server.origin}/contact`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ form: "key-request", opened, ...REQUEST },
        task: `${REQUEST.task}\nState claimed by nobody`,
      }),
      redirect: "manual",
    });
    assert.equal(sent.status, 303);
    assert.equal(
      (await fetch(new URL(sent.headers.get("location") ?? "", server.origin))).status,
      200,
    );

    const listed = await shell.run("requests", "list", "--state", "pending", "--json");
    const [{ id }] = JSON.parse(listed.out).requests;
    assert.match(
      (await shell.run("requests", "list")).out,
      /^ID +STATE +RECEIVED +ACCESS +WHO\n\S+ +pending +\d{4}-\d\d-\d\d +read +Ada Lovelace, Analytical Society$/,
    );
    const approved = await shell.run("requests", "approve", id, "--rate", "3");
    assert.equal(approved.code, 0);
    assert.match(approved.out, /^cplc_[0-9A-Za-z]{38}$/, "alone on standard output");
    assert(approved.err.includes(`${server.origin}/contact/claim`));
    assert.match(approved.err, /^No mail is sent: SMTP_URL is not set where this command runs$/m);
    const claimed = await fetch(`${server.origin}/contact/claim`, {
      method: "POST",
      body: new URLSearchParams({ code: approved.out }),
    });
    const [key = ""] = /cpl_\w{38}/.exec(await claimed.text()) ?? [];
    const mcp = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: {} }),
    });
    assert.equal(mcp.status, 200);
    assert.match(mcp.headers.get("ratelimit-policy") ?? "", /q=3;/);
    const shown = await shell.run("requests", "show", id);
    assert.match(shown.out, /^State +claimed$/m);
    assert.match(shown.out, /^Task +Find what was said about time\n {4}State claimed by nobody$/m);
    assert(!shown.out.includes(key) && !shown.out.includes(approved.out));
  });
});

describe("the command line", () => {
  it("declines, and says who is to be told", async () => {
    using shell = openCommandLine();
    const id = await askInStore(shell.environment);
    const without = await shell.run("requests", "decline", id);
    assert.equal(without.code, 2);
    const empty = await shell.run("requests", "decline", id, "--reason", " ");
    assert.deepEqual(
      [empty.code, empty.err],
      [2, "error: Cannot decline without a reason: say why with --reason"],
    );
    const declined = await shell.run("requests", "decline", id, "--reason", "Too wide");
    assert.equal(declined.out, "Declined; no mail is set up, so tell ada@reader.example why");
    const twice = await shell.run("requests", "decline", id, "--reason", "Too wide");
    assert.deepEqual(
      [twice.code, twice.err],
      [1, "error: Cannot decline this request: it is declined already"],
    );
  });

  it("mails the code when mail is set up, or shows it when asked to", async () => {
    using shell = openCommandLine({ SMTP_URL: "smtp://127.0.0.1:1" });
    const id = await askInStore(shell.environment);
    const mailed = await shell.run("requests", "approve", id);
    assert.deepEqual([mailed.code, mailed.out], [0, ""]);
    assert.match(mailed.err, /The server mails the claim code to ada@reader\.example/);
    assert.match(
      (await shell.run("requests", "show", id)).out,
      /^Mail +key-approved to ada@reader\.example: waiting/m,
    );
    const shown = await shell.run("requests", "approve", id, "--show-code", "--json");
    assert.match(JSON.parse(shown.out).code, /^cplc_/);
    assert.equal(JSON.parse(shown.out).sendsMail, false);
    assert.match(
      (await shell.run("requests", "show", id)).out,
      /key-approved to ada@reader\.example: withdrawn/,
    );
  });

  it("says in words what is wrong", async () => {
    using shell = openCommandLine();
    await shell.run("import", "test/support/fixture");
    assert.equal((await shell.run("requests", "list")).out, "There are no requests for a key");
    const unknown = await shell.run("requests", "approve", "nope");
    assert.deepEqual(
      [unknown.code, unknown.err],
      [1, "error: There is no key request with the id nope"],
    );
    assert.equal((await shell.run("requests", "list", "--state", "open")).code, 2);
    const past = await shell.run("requests", "approve", "nope", "--expires", "yesterday");
    assert.equal(past.code, 2);
  });
});

async function askInStore(environment: Readonly<Record<string, string>>): Promise<string> {
  const seed = (content: ContentRecord) => createStarterSite(content, new Date());
  await using record = await openRecordForCommand(readConfig(environment), seed);
  const dealing = { now: new Date(), origin: "https://quotations.example", sendsMail: false };
  const input = keyRequestInputSchema.parse(REQUEST);
  return (await record.atomically((stores) => receiveKeyRequest(stores, input, dealing))).id;
}
