import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import decodeQR from "qr/decode.js";
import { renewAdminCode } from "../../../src/access/people/admin-codes.ts";
import {
  countAttemptOrThrow,
  totpAttemptLimits,
} from "../../../src/access/people/sign-in-limits.ts";
import { generateTotpCode, totpUri, verifyTotpCode } from "../../../src/access/people/totp.ts";
import { type Browser, openPeopleSite, PASSWORD } from "../../support/people.ts";
import { OPERATOR } from "../../support/record-store.ts";

const FACTOR = "/admin/account/second-factor";
const MODULE_PIXELS = 4;
const WRONG = "This code is wrong, has been used or is too old";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

describe("one-time passwords by time", () => {
  /** "12345678901234567890" in base32, and times and codes (their last six digits) of RFC 6238, appendix B. */
  const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const VECTORS: readonly [seconds: number, code: string][] = [
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ];

  it("are those of RFC 6238", () => {
    for (const [seconds, code] of VECTORS) {
      assert.equal(generateTotpCode(SECRET, Math.floor(seconds / 30)), code);
    }
  });

  it("are taken half a minute before and after, and never at or before the last one", () => {
    const step = Math.floor(1111111109 / 30);
    const stepAt = (seconds: number, lastStep = 0) =>
      verifyTotpCode(SECRET, "081804", {
        now: new Date((1111111109 + seconds) * 1000),
        lastStep,
      });
    assert.deepEqual(
      [-30, 0, 30].map((seconds) => stepAt(seconds)),
      [step, step, step],
    );
    assert.deepEqual(
      [-60, 60].map((seconds) => stepAt(seconds)),
      [null, null],
    );
    assert.deepEqual(
      [stepAt(0, step - 1), stepAt(0, step), stepAt(0, step + 1)],
      [step, null, null],
    );
    for (const code of ["", "81804", "0818044", "08180٤"]) {
      assert.equal(
        verifyTotpCode(SECRET, code, { now: new Date(1111111109_000), lastStep: 0 }),
        null,
      );
    }
  });

  it("reach an app by an address that names site and account", () => {
    assert.equal(
      totpUri("ABC", { site: "Quotes & Co", email: "a+b@example.org" }),
      "otpauth://totp/Quotes%20%26%20Co:a%2Bb%40example.org?secret=ABC&issuer=Quotes%20%26%20Co",
    );
  });
});

describe("a second factor", () => {
  it("is asked for once it is proven, and its codes work once", async () => {
    const { browser, secret } = await withFactor("tom@example.org");
    await browser.send("/admin/sign-out");
    const first = await browser.signIn("tom@example.org");
    assert.equal(first.location, "/admin/second-factor");
    assert.equal((await browser.get("/admin/account")).location, "/admin/second-factor");
    const pending = new Map(browser.cookies);
    assert.equal((await enter(browser, "000000")).fault, WRONG);
    const code = next(secret);
    assert.equal((await enter(browser, code)).location, "/admin/desk");
    assert.equal((await browser.get("/admin/account")).status, 200);
    assert.notDeepEqual(browser.cookies, pending, "the token is another one now");
    const replay = site.browser();
    for (const [name, value] of pending) replay.cookies.set(name, value);
    assert.equal((await replay.get("/admin/account")).location, "/admin/sign-in");
    await replay.signIn("tom@example.org");
    const again = await enter(replay, code);
    assert.deepEqual([again.status, again.fault], [401, WRONG]);
  });

  it("turned on by a double click shows the recovery codes that work, and again only for the same code", async () => {
    const { browser, secret, codes } = await withFactor("dbl@example.org");
    const code = generateTotpCode(secret, Math.floor(site.clock.now.getTime() / 30_000));
    const { status, text } = await browser.send(`${FACTOR}/confirm`, { code });
    assert.equal(status, 200);
    const shown = recoveryCodesIn(text);
    assert.equal(shown.length, codes.length);
    const other = await browser.send(`${FACTOR}/confirm`, { code: next(secret) });
    assert.deepEqual([other.status, recoveryCodesIn(other.text)], [409, []]);
    await browser.send("/admin/sign-out");
    await browser.signIn("dbl@example.org");
    assert.equal((await enter(browser, codes[0] ?? "")).status, 401);
    assert.equal((await enter(browser, shown[0] ?? "")).location, "/admin/desk");
  });

  it("shows no new recovery codes for the code of a sign-in", async () => {
    const { browser, secret } = await withFactor("later@example.org");
    site.wait(120);
    await browser.send("/admin/sign-out");
    await browser.signIn("later@example.org");
    const code = next(secret);
    assert.equal((await enter(browser, code)).location, "/admin/desk");
    const { status, text } = await browser.send(`${FACTOR}/confirm`, { code });
    assert.deepEqual([status, recoveryCodesIn(text)], [409, []]);
  });

  it("lets one of two through who enter the same code in the same moment", async () => {
    const { secret } = await withFactor("two@example.org");
    const browsers = [site.browser(), site.browser()];
    for (const browser of browsers) {
      await browser.signIn("two@example.org");
      await browser.get("/admin/second-factor");
    }
    const code = next(secret);
    const answers = await Promise.all(browsers.map((browser) => enter(browser, code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 401]);
  });

  it("has ten recovery codes, each of which works once", async () => {
    const { codes } = await withFactor("rec@example.org");
    assert.equal(new Set(codes).size, 10);
    const [code = ""] = codes;
    const browser = site.browser();
    await browser.signIn("rec@example.org");
    assert.equal((await enter(browser, ` ${code.toUpperCase()} `)).location, "/admin/desk");
    const again = site.browser();
    await again.signIn("rec@example.org");
    assert.equal((await enter(again, code)).fault, WRONG);
    const stored = JSON.stringify(await site.app.sql("SELECT * FROM second_factors"));
    assert(codes.every((each) => !stored.includes(each.replaceAll("-", ""))));
  });

  it("cannot be guessed from many networks, and recovery codes work meanwhile", async () => {
    const { id, secret, codes } = await withFactor("net@example.org");
    const context = { now: site.clock.now };
    for (let tried = 0; tried < 21; tried += 1) {
      const { address } = site.browser();
      await countAttemptOrThrow(site.app.record, totpAttemptLimits(id), { ...context, address });
    }
    const owner = site.browser();
    await owner.signIn("net@example.org");
    const refused = await enter(owner, next(secret));
    assert.equal(refused.status, 429);
    assert.equal((await enter(owner, codes[0] ?? "")).location, "/admin/desk");
  });

  it("must be entered within ten minutes", async () => {
    const { secret } = await withFactor("slow@example.org");
    const browser = site.browser();
    await browser.signIn("slow@example.org");
    await browser.get("/admin/second-factor");
    site.wait(600);
    assert.equal((await enter(browser, next(secret))).status, 401);
    assert.equal(browser.cookies.size, 0);
  });

  it("is asked for after a reset by code as well", async () => {
    const { id, secret } = await withFactor("rst@example.org");
    const delivery = { now: site.clock.now, origin: "https://x.example", sendsMail: false };
    const { code } = await site.app.record.atomically((stores) =>
      renewAdminCode(stores, OPERATOR, id, delivery),
    );
    const browser = site.browser();
    const claimed = await browser.send("/admin/claim", {
      code: code ?? "",
      "new-password": "quite other words by now",
    });
    assert.equal(claimed.location, "/admin/second-factor");
    assert.equal((await browser.get("/admin/account")).location, "/admin/second-factor");
    assert.equal((await enter(browser, next(secret))).location, "/admin/desk");
  });

  it("is changed only by somebody who has just entered the password", async () => {
    const { browser, secret } = await withFactor("cfm@example.org");
    site.wait(16 * 60);
    const refused = await browser.send(`${FACTOR}/remove`);
    assert.equal(refused.status, 403);
    assert.match(refused.fault, /^Enter your password again: this needs one entered within/);
    assert.match(refused.text, /href="\/admin\/confirm"/);
    const wrong = await browser.send("/admin/confirm", { password: "not the words at all" });
    assert.deepEqual([wrong.status, wrong.fault], [401, "This is not your password"]);
    assert.equal((await browser.send("/admin/confirm", { password: PASSWORD })).status, 303);
    assert.equal((await browser.send(FACTOR)).status, 409, "there is one already");
    assert.equal((await browser.send(`${FACTOR}/remove`)).status, 303);
    assert.equal((await site.browser().signIn("cfm@example.org")).location, "/admin/desk");
    assert(secret);
  });

  it("is not on before a code has proven it", async () => {
    const browser = await site.person("new@example.org");
    assert.equal((await browser.send(FACTOR)).location, FACTOR);
    const shown = secretIn((await browser.get(FACTOR)).text);
    const wrong = await browser.send(`${FACTOR}/confirm`, { code: "12345" });
    assert.deepEqual(
      [wrong.status, wrong.fault],
      [422, "The code is not the one your app shows now; check the clock of your device"],
    );
    assert.equal(secretIn(wrong.text), shown, "a wrong code costs no secret");
    assert.equal((await site.browser().signIn("new@example.org")).location, "/admin/desk");
  });

  it("is shown as a QR code, in the page itself", async () => {
    const browser = await site.person("scan@example.org");
    await browser.send(FACTOR);
    const { text } = await browser.get(FACTOR);
    const [, uri = ""] = /href="(otpauth:[^"]+)"/.exec(text) ?? [];
    assert(uri.includes(secretIn(text)));
    assert.equal(scanned(text), uri.replaceAll("&amp;", "&"));
  });

  it("is removed by an owner when the phone is lost", async () => {
    const { id } = await withFactor("lost@example.org");
    const owner = await site.person("boss@example.org", "owner");
    const path = `/admin/people/${id}/second-factor`;
    assert((await owner.get("/admin/people")).text.includes(path));
    assert.equal((await owner.send(path)).status, 303);
    assert(!(await owner.get("/admin/people")).text.includes(path));
    assert.equal((await site.browser().signIn("lost@example.org")).location, "/admin/desk");
  });
});

it("neither the log nor the audit log repeats a secret or a code", async () => {
  const { browser, secret, codes } = await withFactor("log@example.org");
  await browser.send("/admin/sign-out");
  await browser.signIn("log@example.org");
  await enter(browser, next(secret));
  const kept = site.app.logged.join("") + JSON.stringify(await site.app.sql("SELECT * FROM audit"));
  for (const each of [secret, PASSWORD, ...codes, ...browser.cookies.values()]) {
    assert(!kept.includes(each), each);
  }
});

/** Somebody signed in with a second factor. */
async function withFactor(email: string) {
  const person = await site.person(email);
  await person.send(FACTOR);
  const secret = secretIn((await person.get(FACTOR)).text);
  const { status, text } = await person.send(`${FACTOR}/confirm`, { code: next(secret) });
  assert.equal(status, 200, text);
  return { browser: person, id: person.id, secret, codes: recoveryCodesIn(text) };
}

function recoveryCodesIn(page: string): string[] {
  return [...page.matchAll(/<li><code>([\w-]+)<\/code>/g)].map((match) => match[1] ?? "");
}

function secretIn(page: string): string {
  return /<code>([A-Z2-7]{32})<\/code>/.exec(page)?.[1] ?? "no secret";
}

/** What a camera reads from the QR code of a page. */
function scanned(page: string): string {
  const [, size = "", path = ""] =
    /class="qr" viewBox="0 0 (\d+) \d+"[^>]*><path d="([^"]+)"/.exec(page) ?? [];
  const width = Number(size) * MODULE_PIXELS;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    const left = Number(x) * MODULE_PIXELS;
    const top = Number(y) * MODULE_PIXELS;
    for (let row = top; row < top + MODULE_PIXELS; row += 1) {
      const from = (row * width + left) * 4;
      data.fill(0, from, from + Number(length) * MODULE_PIXELS * 4);
    }
  }
  return decodeQR({ width, height: width, data });
}

/** The code of the next half minute, as none works twice. */
function next(secret: string): string {
  site.wait(30);
  return generateTotpCode(secret, Math.floor(site.clock.now.getTime() / 30_000));
}

async function enter(browser: Browser, code: string) {
  return await browser.send("/admin/second-factor", { code });
}
