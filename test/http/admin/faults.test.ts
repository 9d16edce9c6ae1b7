import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { requestErrorText } from "../../../src/http/admin/browser/faults.ts";
import { openPeopleSite } from "../../support/people.ts";
import { sendFiles } from "../../support/send-files.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

describe("what the scripts say of a request that failed", () => {
  const answered = (headers: Record<string, string>) => ({ headers: new Headers(headers) });

  it("is that there is no connection, and that nothing is lost", async () => {
    const anna = await site.person("anna@example.org");
    for (const [language, words] of [
      ["en", "There is no connection. Nothing is lost"],
      ["de", "Keine Verbindung. Nichts ist verloren"],
    ] as const) {
      const { text } = await anna.get("/admin/media", { "Accept-Language": language });
      const [, offline = ""] = /<body[^>]* data-offline="([^"]+)"/.exec(text) ?? [];
      assert.ok(requestErrorText(null, { offline }).startsWith(words), offline);
    }
  });

  it("is the server's reason where it gives one", () => {
    const texts = { offline: "No connection", failed: "This did not work" };
    const reason = answered({ "X-Fault": encodeURIComponent("Zu groß") });
    assert.equal(requestErrorText(reason, texts), "Zu groß");
    assert.equal(requestErrorText(answered({}), texts), "This did not work");
  });

  it("is in their language that a file is too large", async () => {
    const carl = await site.person("carl@example.org");
    const files = [new File([new Uint8Array(26 * 1024 * 1024)], "film.mp4")];
    const page = { page: "/admin/media", path: "/admin/media/upload", files };
    const { status, headers } = await sendFiles(site, carl, page, { "Accept-Language": "de" });
    assert.equal(status, 413);
    const fault = decodeURIComponent(headers.get("x-fault") ?? "");
    assert.equal(fault, "Die Datei ist größer als 25 MB");
  });

  it("is that the session has ended, after which nothing was changed", async () => {
    const { headers, status } = await site.browser().send("/admin/media/upload");
    assert.equal(status, 401);
    const fault = decodeURIComponent(headers.get("x-fault") ?? "");
    assert.match(fault, /^Your session has ended, and nothing was changed\./);
  });
});
