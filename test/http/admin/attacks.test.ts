import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { SCOPES } from "../../../src/access/actor.ts";
import { issueKey } from "../../../src/access/keys/keys.ts";
import { ADMIN_ROUTES } from "../../../src/http/admin/routes.ts";
import { SCREENS } from "../../../src/http/admin/screens.ts";
import { ROUTES } from "../../../src/http/api/routes.ts";
import { type AdminThings, makeAdminThings } from "../../support/admin-things.ts";
import { FORGED_FORMS } from "../../support/forged-forms.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";
import { sendTo } from "../../support/send-to.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

/** Breaks out of a text, of an attribute and of a script. */
const HOSTILE = `zq"'><img src=x onerror=alert(1)><script>alert(1)</script>`;
const UNKNOWN_ID = "01930000-0000-7000-8000-000000000000";
const GETS = SCREENS.filter(({ method }) => method === "GET");
const POSTS = SCREENS.filter(({ method }) => method === "POST");

/**
 * What each form of the screens takes beside what the page has filled in, with a hostile text wherever one can
 * be written. In the order in which they are sent: what ends a thing comes last.
 */
const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/admin/new": { type: "topic", title: HOSTILE },
  "/admin/names": { type: "topic", title: `Second ${HOSTILE}` },
  "/admin/paste": { html: `<p>${HOSTILE}</p>` },
  "/admin/links/recheck": { url: HOSTILE, state: HOSTILE },
  "/admin/media": { file: HOSTILE },
  "/admin/media/upload": { file: HOSTILE },
  "/admin/media/{id}": { alt: HOSTILE, credit: HOSTILE, name: HOSTILE },
  "/admin/media/{id}/describe": { alt: HOSTILE },
  "/admin/media/{id}/replace": { file: HOSTILE },
  "/admin/media/{id}/into": { alt: HOSTILE, draft: "{draft}" },
  "/admin/drafts/{id}": {
    ...{ title: HOSTILE, summary: HOSTILE, body: HOSTILE, "a.broader": HOSTILE },
    ...{ "f.aliases": HOSTILE, language: HOSTILE, path: `/${HOSTILE}` },
  },
  "/admin/drafts/{id}/autosave": { only: "summary", summary: HOSTILE },
  "/admin/drafts/{id}/presence": {},
  "/admin/drafts/{id}/share": { note: HOSTILE, days: "1" },
  "/admin/drafts/{id}/notes": { text: HOSTILE },
  "/admin/drafts/{id}/review": { note: HOSTILE },
  "/admin/drafts/{id}/review/withdraw": {},
  "/admin/drafts/{id}/send-back": { note: HOSTILE },
  "/admin/drafts/{id}/schedule": { at: HOSTILE },
  "/admin/drafts/{id}/settle": { theirs: HOSTILE },
  "/admin/content/{id}/edit": {},
  "/admin/content/{id}/linked": { "a.quotation.topics": HOSTILE, "r.quotation.topics": HOSTILE },
  "/admin/content/{id}/reviewed": { reviewAt: HOSTILE },
  "/admin/content/{id}/publish": {},
  "/admin/keys": { name: HOSTILE, holder: HOSTILE, rate: "60", expires: HOSTILE },
  "/admin/people": { name: HOSTILE, email: "hostile@example.org", role: "viewer" },
  "/admin/people/{id}": { role: HOSTILE },
  "/admin/settings": { name: HOSTILE, description: HOSTILE, whenToUse: HOSTILE },
  "/admin/appearance": { css: HOSTILE, "slot-header": HOSTILE, "slot-footer": HOSTILE },
  "/admin/appearance/preview": { css: HOSTILE, "slot-header": HOSTILE },
  "/admin/home": {
    ...{ "en.own": "yes", "en.0.show": "text", "en.0.markdown": HOSTILE },
    ...{ "en.1.show": "items", "en.1.title": HOSTILE, "r.en.1.paths": `/${HOSTILE}` },
  },
  "/admin/languages": {
    ...{ language: "de", "de.name": HOSTILE, "de.slot-header": HOSTILE, "de.slot-footer": HOSTILE },
    ...{ "de.licenceName": HOSTILE, "de.licenceUrl": 'https://example.org/?x="><script>' },
  },
  "/admin/languages/add": { added: HOSTILE },
  "/admin/languages/remove": { language: HOSTILE },
  "/admin/navigation": {
    "en.own": "yes",
    "en.label": HOSTILE,
    "en.to": `/${HOSTILE}`,
    move: "en:0:down",
  },
  "/admin/types": { label: `Zq ${HOSTILE}`, plural: HOSTILE, description: HOSTILE, kind: "event" },
  "/admin/types/{name}": { label: HOSTILE, plural: HOSTILE, description: HOSTILE },
  "/admin/types/{name}/fields": { label: HOSTILE, kind: "enum", values: HOSTILE },
  "/admin/types/{name}/remove": {},
  "/admin/redirects": { from: `/${HOSTILE}`, to: `//evil.example/${HOSTILE}` },
  "/admin/webhooks": {
    ...{ url: "https://93.184.215.14/on", events: "key.issue", description: HOSTILE },
  },
  "/admin/webhooks/{id}/test": {},
  "/admin/webhooks/{id}/retry": { number: HOSTILE },
  "/admin/webhooks/{id}/secret": {},
  "/admin/webhooks/{id}/state": { state: "disabled" },
  "/admin/jobs/import": {},
  "/admin/jobs/site": { address: HOSTILE },
  "/admin/jobs/export": {},
  "/admin/jobs/{id}/repeat": { type: HOSTILE, "column.0": HOSTILE, as: HOSTILE, run: "true" },
  "/admin/jobs/{id}/result": {},
  "/admin/jobs/{id}/cancel": {},
  "/admin/messages/{id}": { state: "handled" },
  "/admin/requests/{id}/approve": { rate: "60", expires: HOSTILE },
  "/admin/content/{id}/restore": { restore: "1" },
  "/admin/content/selection": { item: HOSTILE, how: "publish" },
  "/admin/content/selection/links": {
    ...{ item: HOSTILE, action: "link", "a.topics": HOSTILE, "r.topics": HOSTILE },
  },
  "/admin/content/{id}/merge": { "a.into": HOSTILE, "r.into": HOSTILE },
  "/admin/replace": { find: "zq", replace: HOSTILE, type: HOSTILE },
  "/admin/redirects/list": { list: HOSTILE },
  "/admin/redirects/check": { list: `/${HOSTILE}` },
  "/admin/drafts/{id}/publish": { also: HOSTILE },
  "/admin/people/{id}/code": {},
  "/admin/people/{id}/second-factor": {},
  "/admin/people/{id}/passkeys": {},
  "/admin/keys/{id}/rotate": {},
  "/admin/keys/{id}/revoke": {},
  "/admin/requests/{id}/decline": { reason: HOSTILE },
  "/admin/content/{id}/withdraw": { how: "lead", "a.leadTo": `//evil.example/${HOSTILE}` },
  "/admin/draft-notes/{id}/remove": {},
  "/admin/preview-codes/{id}/revoke": {},
  "/admin/media/{id}/remove": {},
  "/admin/media/{id}/restore": {},
  "/admin/messages/{id}/remove": {},
  "/admin/webhooks/{id}/remove": {},
  "/admin/redirects/{id}/remove": {},
  "/admin/drafts/{id}/discard": {},
  "/admin/personal-data": { email: "nobody@example.org" },
  "/admin/personal-data/export": { email: "nobody@example.org" },
  "/admin/personal-data/erase": { email: "nobody@example.org", again: "nobody@example.org" },
  "/admin/settings/language": { from: HOSTILE },
  "/admin/settings/time-zone": { timeZone: HOSTILE },
  "/admin/settings/visibility": { hidden: "no" },
};

/** The address of a screen for one of the things that were made. */
function addressOf(path: string, things: AdminThings): string {
  const kind = path.split("/")[2] ?? "";
  return path.replace("{id}", things[kind] ?? UNKNOWN_ID).replace(/\{\w+\}/g, "1");
}

/** What the pages have filled into the form that is sent to an address. */
function hiddenOf(pages: readonly Shown[], address: string): Record<string, string> {
  const forms = pages.flatMap(({ text }) => text.match(/<form [\s\S]*?<\/form>/g) ?? []);
  const form = forms.find((each) => each.includes(`action="${address}"`)) ?? "";
  const inputs = form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value]));
}

async function allPages(owner: Browser, things: AdminThings): Promise<Shown[]> {
  const query = new URLSearchParams({ q: HOSTILE, type: HOSTILE, cursor: "", draft: HOSTILE });
  const addresses = GETS.flatMap(({ path }) => {
    const address = addressOf(path, things);
    return [address, `${address}?${query}`];
  });
  const pages: Shown[] = [];
  for (const address of addresses) pages.push(await owner.get(address));
  return pages;
}

function requireHarmless(shown: Shown, where: string): void {
  assert(shown.status < 500, `${where}: ${shown.status}`);
  const to = shown.location;
  assert(to === null || /^\/(?![/\\])/.test(to), `${where} leads to ${to}`);
  if (!(shown.headers.get("content-type") ?? "").startsWith("text/html")) return;
  assert.doesNotMatch(shown.text, /<img src=x|<script>alert/i, where);
}

/** Whatever was written, the pages show it as text. */
async function requireHarmlessPages(owner: Browser, things: AdminThings): Promise<void> {
  const pages = await allPages(owner, things);
  for (const page of pages) requireHarmless(page, "a page");
  const showing = pages.filter(({ text }) => text.includes("zq&quot;"));
  assert(showing.length >= 20, `only ${showing.length} pages show the text at all`);
}

describe("an attack on the screens", () => {
  it("has a line here for every form", () => {
    const paths = POSTS.map(({ path }) => path).sort();
    assert.deepEqual(Object.keys(FORMS).sort(), paths);
  });

  it("by a form of another site changes nothing, in none of five ways nor with a wrong token", async () => {
    const owner = await site.person("forged@example.org", "owner");
    const things = await makeAdminThings(site, owner, "Target");
    const before = await site.app.sql("SELECT count(*) AS count FROM audit");
    for (const { path } of POSTS) {
      const address = addressOf(path, things);
      for (const [way, headers] of FORGED_FORMS) {
        const { status } = await owner.send(address, FORMS[path], headers);
        assert(status === 403 || status === 415, `${path} ${way}: ${status}`);
      }
      const { status } = await owner.send(address, { ...FORMS[path], token: "wrong" });
      assert.equal(status, 403, path);
    }
    assert.deepEqual(await site.app.sql("SELECT count(*) AS count FROM audit"), before);
  });

  it("by what is typed into any field, a file name or a search runs nothing and leads nowhere", async () => {
    const owner = await site.person("stored@example.org", "owner");
    const things = await makeAdminThings(site, owner, HOSTILE);
    await site.app.get(`/search?${new URLSearchParams({ q: HOSTILE })}`);
    assert.deepEqual(
      Object.entries(things).filter(([, id]) => id === ""),
      [],
    );
    await requireHarmlessPages(owner, things);
    for (const [path, values] of Object.entries(FORMS)) {
      const address = addressOf(path, things);
      const page = path.replace(/\/(?:publish|settle|schedule|autosave|discard)$/, "");
      const pages = [await owner.get(addressOf(page, things)), await owner.get(address)];
      const draft = { draft: things["drafts"] ?? "" };
      const filled = { ...hiddenOf(pages, address), ...values, ...("draft" in values && draft) };
      requireHarmless(await owner.send(address, filled), path);
      const list = page.split("/").slice(0, 3).join("/");
      for (const after of [addressOf(page, things), list]) {
        requireHarmless(await owner.get(after), `${after} after ${path}`);
      }
    }
    await requireHarmlessPages(owner, things);
    for (const path of ["/", "/topics", "/search?q=zq", "/contact", "/no-such-page"]) {
      const answer = await sendTo(site.app.http, path, { headers: { Accept: "text/html" } });
      assert.doesNotMatch(await answer.text(), /<img src=x|<script>alert/i, path);
    }
  });

  it("by a frame, a cache or a script of another site finds every page closed", async () => {
    const owner = await site.person("framed@example.org", "owner");
    const things = await makeAdminThings(site, owner, "Framed");
    const pages = [
      ...GETS.map(({ path }) => addressOf(path, things)),
      ...ADMIN_ROUTES.filter(({ method }) => method === "GET").map(({ path }) => path),
    ];
    for (const path of pages) {
      const { headers } = await owner.get(path);
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'/, path);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/, path);
      const isPreview = /\/(?:preview|view)$/.test(path);
      assert.match(policy, isPreview ? /frame-ancestors 'self'/ : /frame-ancestors 'none'/, path);
      assert.match(headers.get("cache-control") ?? "", /no-store|private/, path);
      assert.equal(headers.get("access-control-allow-origin"), null, path);
    }
  });

  it("with the cookie opens neither /api/v1 nor /mcp", async () => {
    const owner = await site.person("cookie@example.org", "owner");
    const Cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const [secret = ""] = [...owner.cookies.values()];
    for (const { method, path } of ROUTES) {
      const address = `/api/v1${path.replaceAll(/\{\w+\}/g, UNKNOWN_ID)}`;
      for (const headers of [{ Cookie }, { Authorization: `Bearer ${secret}` }]) {
        const { status } = await sendTo(site.app.http, address, { method, headers });
        assert.equal(status, 401, `${method} ${path}`);
      }
    }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { host: Host } = new URL(ORIGIN);
    const headers = { Host, Cookie, "Content-Type": "application/json" };
    const mcp = await sendTo(site.app.http, "/mcp", { method: "POST", headers, body });
    assert.equal(mcp.status, 401);
  });

  it("with a key opens no screen", async () => {
    const input = { name: "all", scopes: [...SCOPES], ratePerMinute: 600 };
    const { keys } = site.app.record;
    const { key } = await issueKey(keys, { kind: "operator" }, input, site.clock.now);
    const headers = { Authorization: `Bearer ${key}` };
    for (const { method, path } of SCREENS) {
      const address = path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
      const stranger = site.browser();
      const shown =
        method === "GET"
          ? await stranger.get(address, headers)
          : await stranger.send(address, {}, headers);
      assert.equal(shown.status, method === "GET" ? 303 : 401, path);
    }
  });
});
