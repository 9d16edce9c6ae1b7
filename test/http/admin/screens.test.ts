import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ROLE_SCOPES, ROLES } from "../../../src/access/people/roles.ts";
import { requestKey } from "../../../src/access/submissions/key-requests.ts";
import type { Screen } from "../../../src/http/admin/screens/screen.ts";
import { SCREENS } from "../../../src/http/admin/screens.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";

const UNKNOWN_ID = "01930000-0000-7000-8000-000000000000";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

async function followed(browser: Browser, shown: Shown): Promise<Shown> {
  assert.equal(shown.status, 303, shown.text);
  return await browser.get(shown.location ?? "");
}

/** Sends the form of a page with its values, as a browser without scripts does, and follows. */
async function submit(
  browser: Browser,
  path: string,
  values: Readonly<Record<string, string>>,
): Promise<Shown> {
  return await followed(browser, await browser.send(path, values));
}

function versionIn(page: Shown): string {
  return /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? "";
}

function idIn(shown: Shown): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(shown.location ?? "")?.[0] ?? "";
}

async function publicPage(path: string): Promise<{ status: number; text: string }> {
  const answer = await site.app.get(path);
  return { status: answer.status, text: await answer.text() };
}

describe("an editor without scripts", () => {
  it("writes and publishes a quotation, with links by title and by address", async () => {
    const anna = await site.person("anna@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation", title: "On toil" });
    const path = begun.location ?? "";
    const page = await followed(anna, begun);
    assert.match(page.text, /<input id="title" name="title" value="On toil"/);
    assert.match(page.text, /by anna</);
    const values = {
      title: "On toil",
      body: "The toil <passes>.\r\n\r\nThe good remains.",
      "a.authors": "epictetus",
      "a.topics": "/topics/time\r\nNo such topic",
      "f.year": "65",
      next: "publish",
    };
    const refused = await anna.send(path, { ...values, version: versionIn(page) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Nothing is called “No such topic”/);
    assert.match(refused.text, /The toil &lt;passes&gt;\.\n\nThe good remains\./);
    assert.match(refused.text, /value="No such topic" checked/);
    const links = [...refused.text.matchAll(/name="r\.(\w+)" value="([^"]+)" checked/g)];
    const kept = Object.fromEntries(
      links.filter(([, , id]) => id?.includes("-")).map(([, name, id]) => [`r.${name}`, id ?? ""]),
    );
    assert.deepEqual(Object.keys(kept), ["r.authors", "r.topics"]);
    const { "a.authors": _, "a.topics": __, ...rest } = values;
    const step = await submit(anna, path, { ...rest, ...kept, version: versionIn(refused) });
    assert.match(step.text, /A new page will be public/);
    assert.doesNotMatch((await publicPage("/quotations")).text, /On toil/);
    const item = await submit(anna, `${path}/publish`, { version: versionIn(step) });
    assert.match(item.text, /<span class="tag published">Public<\/span>/);
    const shown = await publicPage("/quotations/on-toil");
    assert.match(shown.text, /The good remains\./);
    assert.match(shown.text, /href="\/authors\/epictetus"/);
  });

  it("changes a public page, sees what changes, and keeps it private until then", async () => {
    const anna = await site.person("anna2@example.org");
    const { text } = await anna.get("/admin/content?q=wisdom&type=topic");
    const [, id = ""] = /href="\/admin\/content\/([0-9a-f-]+)"/.exec(text) ?? [];
    const begun = await anna.send(`/admin/content/${id}/edit`);
    const path = begun.location ?? "";
    const editor = await followed(anna, begun);
    const title = /name="title" value="([^"]+)"/.exec(editor.text)?.[1] ?? "";
    const values = { title, summary: "A school of Athens.", next: "publish" };
    const step = await submit(anna, path, { ...values, version: versionIn(editor) });
    assert.match(step.text, /<h3>summary<\/h3>[\s\S]*A school of Athens\./);
    assert.doesNotMatch((await publicPage("/topics/wisdom")).text, /A school of Athens/);
    const preview = await anna.get(`${path}/preview`);
    assert.match(preview.text, /A school of Athens/);
    assert.equal(preview.headers.get("cache-control"), "no-store");
    await submit(anna, `${path}/publish`, { version: versionIn(step) });
    assert.match((await publicPage("/topics/wisdom")).text, /A school of Athens/);
    const audit = await site.app.sql("SELECT actor FROM audit ORDER BY number DESC LIMIT 1");
    assert.match(String(audit[0]?.["actor"]), /^person:/);
  });

  it("keeps what was typed when someone else changed the same part", async () => {
    const anna = await site.person("anna3@example.org");
    const ben = await site.person("ben3@example.org");
    const begun = await anna.send("/admin/new", { type: "topic", title: "Courage" });
    const path = begun.location ?? "";
    const page = await followed(anna, begun);
    const version = versionIn(page);
    await submit(ben, path, { title: "Bravery", version });
    const told = await anna.send(path, { title: "Valour", summary: "Mine", version });
    assert.equal(told.status, 422);
    assert.match(told.text, /Someone else changed title/);
    assert.match(told.text, /name="title" value="Valour"/);
    assert.match(told.text, /<pre class="code">Bravery<\/pre>/);
    const saved = await submit(anna, path, {
      title: "Valour",
      summary: "Mine",
      version: versionIn(told),
    });
    assert.match(saved.text, /by anna3, ben3</);
    assert.match(saved.text, /name="title" value="Valour"/);
  });

  it("has typing saved by the script, one version after the other, without names half typed", async () => {
    const anna = await site.person("anna5@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation" });
    const path = begun.location ?? "";
    const page = await followed(anna, begun);
    assert.match(page.text, /<script type="module" src="\/admin\/editor-[0-9a-f]{12}\.js">/);
    const typed = { title: "On a", "a.authors": "Epict", version: versionIn(page) };
    const first = await anna.send(`${path}/autosave`, typed);
    assert.deepEqual(JSON.parse(first.text), { version: 2 });
    const again = await anna.send(`${path}/autosave`, { ...typed, title: "On all", version: "2" });
    assert.deepEqual(JSON.parse(again.text), { version: 3 });
    const shown = await anna.get(path);
    assert.match(shown.text, /name="title" value="On all"/);
    assert.doesNotMatch(shown.text, /name="r\.authors"/);
    const long = { ...typed, body: "x".repeat(1024 * 1024 + 1), version: "3" };
    assert.equal((await anna.send(`${path}/autosave`, long)).status, 400);
    const unsaved = await anna.send(path, long);
    assert.equal(unsaved.status, 422);
    assert.match(unsaved.text, /Not saved: [^<]*1 MiB/);
  });

  it("adds at most fifty links at once, and keeps the other names", async () => {
    const anna = await site.person("anna6@example.org");
    const begun = await anna.send("/admin/new", { type: "quotation" });
    const path = begun.location ?? "";
    const version = versionIn(await followed(anna, begun));
    const names = Array.from({ length: 60 }, (_, at) => `/topics/none-${at}`).join("\r\n");
    const told = await anna.send(path, { title: "Many", "a.topics": names, version });
    assert.equal(told.status, 422);
    assert.match(told.text, /At most 50 links can be added at once/);
    assert.match(told.text, /value="\/topics\/none-59" checked/);
    assert.equal(told.text.match(/Nothing is called/g)?.length, 50);
  });

  it("schedules, withdraws, restores and deletes", async () => {
    const anna = await site.person("anna4@example.org");
    const begun = await anna.send("/admin/new", { type: "page", title: "Spring meeting" });
    const draft = begun.location ?? "";
    const opened = await followed(anna, begun);
    const later = { at: "2099-05-01T10:00", version: versionIn(opened) };
    const waiting = await submit(anna, `${draft}/schedule`, later);
    assert.match(waiting.text, /will be public May 1, 2099/);
    assert.match((await anna.get("/admin/desk")).text, /Spring meeting[\s\S]*will be public/);
    const published = await anna.send(`${draft}/publish`, { version: versionIn(waiting) });
    const id = idIn(published);
    const act = async (action: string, revision: number) =>
      await submit(anna, `/admin/content/${id}/status`, { action, revision: String(revision) });
    await act("archive", 1);
    assert.equal((await publicPage("/spring-meeting")).status, 410);
    await act("publish", 2);
    assert.equal((await publicPage("/spring-meeting")).status, 200);
    const stale = await anna.send(`/admin/content/${id}/status`, {
      action: "archive",
      revision: "1",
    });
    assert.equal(stale.status, 412);
    await act("delete", 3);
    const restored = await submit(anna, `/admin/content/${id}/restore`, {
      restore: "3",
      revision: "4",
    });
    assert.match(restored.text, /tag draft/);
  });
});

describe("a manager", () => {
  it("approves a request for a key, and passes on the code", async () => {
    const meg = await site.person("meg@example.org", "manager");
    const { stores } = site.app.apiParts;
    const asked = { name: "Ada", email: "ada@example.org", organisation: "", task: "Read" };
    const { id } = await requestKey(
      stores,
      { ...asked, data: "", access: "read" },
      { now: site.clock.now, origin: ORIGIN, sendsMail: false },
    );
    assert.match((await meg.get("/admin/desk")).text, /Key requests to answer: 1/);
    const path = `/admin/requests/${id}`;
    assert.match((await meg.get(path)).text, /ada@example\.org/);
    const approved = await meg.send(`${path}/approve`, { rate: "30", expires: "2099-12-31" });
    const code = /<p class="code">([^<]+)<\/p>/.exec(approved.text)?.[1] ?? "";
    assert.equal(approved.status, 200);
    const claim = await site.browser().send("/contact/claim", { code });
    assert.match(claim.text, /cpl_[0-9A-Za-z]{38}/);
    assert.doesNotMatch((await meg.get("/admin/desk")).text, /Key requests to answer/);
  });

  it("issues, replaces and revokes keys, each shown once", async () => {
    const meg = await site.person("meg2@example.org", "manager");
    const issued = await meg.send("/admin/keys", { name: "Agent", holder: "Ben", rate: "60" });
    assert.match(issued.text, /cpl_[0-9A-Za-z]{38}/);
    const list = await meg.get("/admin/keys");
    assert.doesNotMatch(list.text, /cpl_[0-9A-Za-z]{38}/);
    const [, id = ""] = /\/admin\/keys\/([^/]+)\/rotate/.exec(list.text) ?? [];
    assert.match((await meg.send(`/admin/keys/${id}/rotate`)).text, /cpl_[0-9A-Za-z]{38}/);
    const revoked = await submit(meg, `/admin/keys/${id}/revoke`, {});
    assert.match(revoked.text, /tag revoked/);
    site.wait(16 * 60);
    const late = await meg.send("/admin/keys", { name: "Late", rate: "60" });
    assert.match(late.text, /href="\/admin\/confirm"/);
  });
});

describe("an owner", () => {
  it("invites somebody, changes the role and disables the account", async () => {
    const olga = await site.person("olga@example.org", "owner");
    const invited = await olga.send("/admin/people", {
      name: "Ben",
      email: "ben@people.example",
      role: "viewer",
    });
    const code = /<p class="code">([^<]+)<\/p>/.exec(invited.text)?.[1] ?? "";
    const ben = site.browser();
    const claimed = await ben.send("/admin/claim", { code, "new-password": "quite a few words" });
    assert.equal(claimed.location, "/admin/desk");
    const list = await olga.get("/admin/people");
    const id = /<strong>Ben<\/strong>[\s\S]*?action="\/admin\/people\/([0-9a-f-]{36})"/.exec(
      list.text,
    )?.[1];
    const changed = await submit(olga, `/admin/people/${id}`, { role: "editor" });
    assert.match(changed.text, /ben@people\.example · Editor/);
    await submit(olga, `/admin/people/${id}`, { state: "disabled" });
    assert.equal((await ben.get("/admin/desk")).location, "/admin/sign-in");
    const wrong = await olga.send("/admin/people", { name: "", email: "x", role: "king" });
    assert.equal(wrong.status, 400);
    assert.match((await olga.get("/admin/audit")).text, /admin\.disable[\s\S]*olga/);
  });

  it("changes the settings of the site, which show at once", async () => {
    const olga = await site.person("olga2@example.org", "owner");
    const values = {
      name: "Renamed Association",
      description: "A description.",
      language: "en",
      email: "editors@quotations.example",
      whenToUse: "To quote\r\nTo check",
    };
    await submit(olga, "/admin/settings", values);
    assert.match((await publicPage("/")).text, /Renamed Association/);
    const wrong = await olga.send("/admin/settings", { ...values, language: "klingon!" });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /language/);
  });
});

describe("the screens", () => {
  it("open by role, and answer no fault of the service to an unknown id", async () => {
    for (const role of ROLES) {
      const person = await site.person(`${role}@screens.example`, role);
      const scopes = new Set<string>(ROLE_SCOPES[role]);
      for (const screen of SCREENS) {
        const { status, text } = await ask(person, screen);
        assert(status < 500, `${role}: ${screen.path}: ${text}`);
        const isRefused = status === 403;
        // Use cases may need more than the screen as a whole, never less.
        if (!scopes.has(screen.scope)) assert(status >= 400, `${role}: ${screen.path}: ${status}`);
        else assert(!isRefused || screen.method === "POST", `${role}: ${screen.path}`);
      }
    }
  });

  it("answer nobody without a session, and no key", async () => {
    for (const screen of SCREENS) {
      const stranger = await ask(site.browser(), screen);
      assert.equal(stranger.status, screen.method === "GET" ? 303 : 401, screen.path);
    }
  });

  it("take no forged form", async () => {
    const owner = await site.person("forged@example.org", "owner");
    const before = await site.app.sql("SELECT count(*) AS count FROM audit");
    for (const screen of SCREENS.filter(({ method }) => method === "POST")) {
      for (const headers of [
        { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
        { "Sec-Fetch-Site": "same-site" },
        { "Content-Type": "text/plain" },
      ]) {
        const { status } = await owner.send(pathOf(screen), {}, headers);
        assert(status === 403 || status === 415, `${screen.path}: ${status}`);
      }
      assert.equal((await owner.send(pathOf(screen), { token: "wrong" })).status, 403);
    }
    assert.deepEqual(await site.app.sql("SELECT count(*) AS count FROM audit"), before);
  });

  it("speak German to whoever asks for it", async () => {
    const uta = await site.person("uta@example.org", "owner");
    const { text } = await uta.get("/admin/desk", { "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" });
    assert.match(text, /<html lang="de">[\s\S]*<h1>Schreibtisch<\/h1>/);
  });
});

function pathOf({ path }: Screen): string {
  return path.replace("{id}", UNKNOWN_ID);
}

async function ask(browser: Browser, screen: Screen): Promise<Shown> {
  return screen.method === "GET"
    ? await browser.get(pathOf(screen))
    : await browser.send(pathOf(screen));
}
