import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { disableAdmin } from "../../../src/access/people/admins.ts";
import { readConfig } from "../../../src/config.ts";
import { onlyOnSqlite } from "../../support/engine.ts";
import { CLIENT_ID, openOpenIdServer } from "../../support/openid-server.ts";
import { type Browser, openPeopleSite } from "../../support/people.ts";

const PROVIDER = "/admin/provider";
const FAILED = "/admin/provider/failed";

const server = await openOpenIdServer();
const openId = { issuer: server.issuer, clientId: CLIENT_ID, clientSecret: "client-secret" };
const site = await openPeopleSite({ config: { openId } });
after(async () => {
  await site[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Goes to the provider and signs in there. @returns the address it sends the browser back to. */
async function authorize(browser: Browser, email: string): Promise<string> {
  Object.assign(server.says, { email, emailVerified: true });
  const { status, location } = await browser.get(PROVIDER);
  assert.equal(status, 303);
  return server.authorize(location ?? "");
}

describe("signing in at a provider", () => {
  it("opens a session at a clean address, also for who was only invited", async () => {
    await site.invite("ada@example.org", "manager");
    const browser = site.browser();
    assert.match((await browser.get("/admin/sign-in")).text, /Sign in at 127\.0\.0\.1:\d+/);
    const back = await authorize(browser, "Ada@Example.org");
    const { status, location } = await browser.get(back);
    assert.equal(status, 303);
    assert.doesNotMatch(location ?? "", /[?#]|failed/);
    const { text } = await browser.get("/admin/account");
    assert.match(text, /ada@example\.org/);
    const [code = ""] = /code-\w+/.exec(back) ?? [];
    site.wait(20 * 60);
    assert.match((await browser.get("/admin/confirm")).text, /Sign in at 127\.0\.0\.1:\d+/);
    assert.doesNotMatch(
      (await browser.get(await authorize(browser, "ada@example.org"))).location ?? "",
      /failed/,
    );
    assert.doesNotMatch((await browser.get("/admin/account")).text, /enter your password again/);
    const logged = site.app.logged.join("");
    for (const secret of [code, "client-secret", "access-secret", "state="]) {
      assert(!logged.includes(secret), `the log has ${secret}`);
    }
  });

  it("knows an address whose domain is not in ASCII, as signing in with a password does", async () => {
    const { id } = await site.invite("jo@xn--bcher-kva.example");
    const browser = site.browser();
    await browser.get(await authorize(browser, "Jo@Bücher.example"));
    assert.match((await browser.get("/admin/account")).text, /jo@xn--bcher-kva\.example/);
    assert.equal((await site.app.record.admins.byId(id))?.state, "active");
  });

  it("asks the provider with PKCE, state and nonce, and for the password each time", async () => {
    const { location } = await site.browser().get(PROVIDER);
    const query = new URL(location ?? "").searchParams;
    assert.deepEqual(
      [query.get("code_challenge_method"), query.get("response_type"), query.get("prompt")],
      ["S256", "code", "login"],
    );
    for (const name of ["code_challenge", "state", "nonce"]) {
      assert.equal(query.get(name)?.length, 43, name);
    }
    assert.equal(query.get("redirect_uri"), "https://quotations.example/admin/provider/callback");
  });
});

describe("an answer of a provider is refused", () => {
  const refused = async (browser: Browser, address: string) => {
    assert.equal((await browser.get(address)).location, FAILED);
    assert.equal((await browser.get("/admin/account")).location, "/admin/sign-in");
  };

  it("with a forged state", async () => {
    const browser = site.browser();
    const back = await authorize(browser, "ada@example.org");
    await refused(browser, back.replace(/state=[\w-]+/, `state=${"A".repeat(43)}`));
  });

  it("in a browser that did not begin, such as that of a victim", async () => {
    const back = await authorize(site.browser(), "ada@example.org");
    await refused(site.browser(), back);
    const other = site.browser();
    await other.get(PROVIDER);
    await refused(other, back);
  });

  it("when it is longer than any of a provider", async () => {
    const browser = site.browser();
    server.says.claims = { padding: "x".repeat(2 * 1024 * 1024) };
    const back = await authorize(browser, "ada@example.org");
    await refused(browser, back);
    server.says.claims = {};
  });

  it("when it names an address that is none of the web, before anything is sent there", async () => {
    await using lying = await openOpenIdServer();
    lying.says.authorizationEndpoint = "javascript:alert(1)";
    const config = { openId: { issuer: lying.issuer, clientId: CLIENT_ID, clientSecret: null } };
    await using other = await openPeopleSite({ config });
    assert.equal((await other.browser().get(PROVIDER)).status, 503);
  });

  it("when it is used again, even if the provider takes it", async () => {
    server.says.takesCodesAgain = true;
    const browser = site.browser();
    const back = await authorize(browser, "ada@example.org");
    const kept = new Map(browser.cookies);
    assert.notEqual((await browser.get(back)).location, FAILED);
    const again = site.browser();
    for (const [name, value] of kept) again.cookies.set(name, value);
    await refused(again, back);
  });

  it("with another nonce, without a signature or by somebody else, too late, or meant for others", async () => {
    const forgeries: readonly Partial<typeof server.says>[] = [
      { nonce: "A".repeat(43) },
      ...[{ isSignedByAnother: true }, { isUnsigned: true }],
      { claims: { exp: Math.floor(Date.now() / 1000) - 3600 } },
      { claims: { aud: "another-client" } },
      { claims: { iss: "https://another.example" } },
    ];
    for (const forged of forgeries) {
      const browser = site.browser();
      const back = await authorize(browser, "ada@example.org");
      Object.assign(server.says, forged);
      await refused(browser, back);
      delete server.says.nonce;
      delete server.says.isSignedByAnother;
      delete server.says.isUnsigned;
      delete server.says.claims;
    }
  });

  it("for an address that is not verified, unknown or disabled", async () => {
    const browser = site.browser();
    const back = await authorize(browser, "ada@example.org");
    server.says.emailVerified = false;
    await refused(browser, back);
    const stranger = site.browser();
    await refused(stranger, await authorize(stranger, "stranger@example.org"));
    const eve = await site.person("eve@example.org");
    await site.app.record.atomically((stores) =>
      disableAdmin(stores, { kind: "operator" }, eve.id, { now: site.clock.now }),
    );
    const disabled = site.browser();
    await refused(disabled, await authorize(disabled, "eve@example.org"));
  });

  it("after ten wrong ones in an hour", async () => {
    const browser = site.browser();
    await browser.get(PROVIDER);
    for (let tried = 0; tried < 10; tried += 1) {
      await browser.get("/admin/provider/callback?code=x&state=y");
    }
    const back = await authorize(browser, "ada@example.org");
    await refused(browser, back);
    const elsewhere = site.browser();
    assert.notEqual(
      (await elsewhere.get(await authorize(elsewhere, "ada@example.org"))).location,
      FAILED,
    );
  });
});

it("without a provider there is none to go to", onlyOnSqlite(), async () => {
  await using plain = await openPeopleSite();
  const { status, fault } = await plain.browser().get(PROVIDER);
  assert.deepEqual([status, fault], [404, "This site has no sign-in provider: use your password"]);
  assert.doesNotMatch((await plain.browser().get("/admin/sign-in")).text, /provider/);
});

it("a provider that does not answer is said to be away", onlyOnSqlite(), async () => {
  const away = { ...openId, issuer: "http://127.0.0.1:9" };
  await using other = await openPeopleSite({ config: { openId: away } });
  const { status, fault } = await other.browser().get(PROVIDER);
  assert.deepEqual([status, fault], [503, "The sign-in provider does not answer: try again soon"]);
});

it("the settings of a provider belong together, and need HTTPS beyond this machine", () => {
  const cases: [settings: Record<string, string>, fault: RegExp][] = [
    [{ OIDC_ISSUER: "https://login.example" }, /OIDC_CLIENT_ID: give the id/],
    [{ OIDC_CLIENT_ID: "a" }, /OIDC_ISSUER: say where people sign in/],
    [{ OIDC_ISSUER: "http://login.example", OIDC_CLIENT_ID: "a" }, /use the https:\/\/ address/],
    [{ OIDC_ISSUER: "https://a:b@login.example", OIDC_CLIENT_ID: "a" }, /without name, password/],
  ];
  for (const [settings, fault] of cases) assert.throws(() => readConfig(settings), fault);
  assert.equal(readConfig({}).openId, null);
});
