import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { renewAdminCode } from "../../../src/access/people/admin-codes.ts";
import { purgeExpiredSignInData } from "../../../src/access/people/purging.ts";
import {
  adminCodeAttemptLimits,
  countAttemptOrThrow,
  passwordAttemptLimits,
} from "../../../src/access/people/sign-in-limits.ts";
import { openRecordForCommand } from "../../../src/app/store.ts";
import { readConfig } from "../../../src/config.ts";
import { ADMIN_ROUTES } from "../../../src/http/admin/routes.ts";
import { onlyOnSqlite } from "../../support/engine.ts";
import { FORGED_FORMS } from "../../support/forged-forms.ts";
import { ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite, PASSWORD } from "../../support/people.ts";

const HOUR = 3600;
const SIGN_IN = "/admin/sign-in";
const WRONG = "The e-mail address or the password is wrong";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

describe("fixation", () => {
  it("gains nothing: signing in makes a new token, and the planted one stays worthless", async () => {
    await site.person("fay@example.org");
    const planted = `cpls_${"A".repeat(43)}`;
    const victim = site.browser();
    victim.cookies.set("__Host-session", planted);
    assert.equal((await victim.signIn("fay@example.org")).status, 303);
    assert.notEqual(victim.cookies.get("__Host-session"), planted);
    const attacker = site.browser();
    attacker.cookies.set("__Host-session", planted);
    assert.equal((await attacker.get("/admin/account")).location, SIGN_IN);
  });

  it("gains nothing with a session of the attacker's own, which ends when the victim signs in", async () => {
    const attacker = await site.person("mallory@example.org");
    await site.person("vic@example.org");
    const victim = site.browser();
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    assert.equal((await victim.signIn("vic@example.org")).status, 303);
    assert.match((await victim.get("/admin/account")).text, /vic@example\.org/);
    assert.equal((await attacker.get("/admin/account")).location, SIGN_IN);
  });
});

describe("guessing", () => {
  it("is over after ten wrong passwords an hour, and the right one is refused as well", async () => {
    await site.person("gus@example.org");
    const attacker = site.browser();
    await guess(passwordAttemptLimits("gus@example.org"), attacker, 9);
    const { status, fault } = await attacker.signIn("gus@example.org", "wrong words in a row");
    assert.deepEqual([status, fault], [401, WRONG]);
    const refused = await attacker.signIn("gus@example.org");
    assert.equal(refused.status, 429);
    assert.match(refused.fault, /^Too many attempts from your network: try again in 60 minutes/);
    assert.equal(refused.headers.get("retry-after"), "3600");
    site.wait(HOUR);
    assert.equal((await attacker.signIn("gus@example.org")).status, 303);
  });

  it("does not lock out whom it is about: their network has attempts of its own", async () => {
    await site.person("olga@example.org", "owner");
    const target = passwordAttemptLimits("olga@example.org");
    // As many networks as it takes for all together to be too many.
    for (let network = 0; network < 10; network += 1) await guess(target, site.browser(), 10);
    await guess(target, site.browser(), 1);
    const late = site.browser();
    await guess(target, late, 2);
    assert.equal((await late.signIn("olga@example.org", "x")).status, 401);
    assert.equal((await late.signIn("olga@example.org", "x")).status, 429, "fewer for each by now");
    assert.equal((await site.browser().signIn("olga@example.org")).status, 303);
  });

  it("over many names is over after fifty an hour from one network", async () => {
    const attacker = site.browser();
    for (let tried = 0; tried < 49; tried += 1) {
      await guess(passwordAttemptLimits(`nobody-${tried}@example.org`), attacker, 1);
    }
    assert.equal((await attacker.signIn("one@example.org", "x")).status, 401);
    assert.equal((await attacker.signIn("two@example.org", "x")).status, 429);
  });

  it("at the same moment is counted one by one", async () => {
    const attacker = site.browser();
    await guess(passwordAttemptLimits("par@example.org"), attacker, 8);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => attacker.signIn("par@example.org", "x")),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [401, 401, 429, 429, 429]);
  });

  it("of codes is over after ten an hour", async () => {
    const { code } = await site.invite("ivo@example.org");
    const attacker = site.browser();
    await guess(adminCodeAttemptLimits(), attacker, 9);
    const form = { code, "new-password": PASSWORD };
    const wrong = { ...form, code: `${code}x` };
    assert.equal((await attacker.send("/admin/claim", wrong)).status, 404);
    assert.equal((await attacker.send("/admin/claim", form)).status, 429);
    assert.equal((await site.browser().send("/admin/claim", form)).status, 303);
  });

  it("is not what people of one network do who accept their invitations in one hour", async () => {
    const { address } = site.browser();
    for (let guest = 1; guest <= 11; guest += 1) {
      const { code } = await site.invite(`guest-${guest}@example.org`);
      const form = { code, "new-password": PASSWORD };
      assert.equal((await site.browser(address).send("/admin/claim", form)).status, 303);
    }
  });

  it("an IPv6 network of a household counts once", async () => {
    await site.person("six@example.org");
    for (let tried = 0; tried < 10; tried += 1) {
      const address = `2001:db8:1:2::${tried}`;
      await guess(passwordAttemptLimits("six@example.org"), { address }, 1);
    }
    const neighbour = site.browser("2001:db8:1:2:ffff::1");
    assert.equal((await neighbour.signIn("six@example.org")).status, 429);
    assert.equal((await site.browser("2001:db8:1:3::1").signIn("six@example.org")).status, 303);
  });

  it("is counted over restarts", onlyOnSqlite(), async () => {
    const target = passwordAttemptLimits("restart@example.org");
    const attacker = site.browser();
    await using other = await openRecordForCommand(readConfig({ DATA_DIR: site.app.dataDir }));
    const context = { address: attacker.address, now: site.clock.now };
    for (let tried = 0; tried < 10; tried += 1) await countAttemptOrThrow(other, target, context);
    assert.equal((await attacker.signIn("restart@example.org", "x")).status, 429);
  });

  it("leaves nothing behind after an hour", async () => {
    await guess(adminCodeAttemptLimits(), site.browser(), 3);
    site.wait(HOUR);
    await purgeExpiredSignInData(site.app.record, site.clock.now);
    assert.deepEqual(await site.app.sql("SELECT * FROM sign_in_attempts"), []);
  });
});

describe("names that exist", () => {
  it("cannot be told from others: same answer, same limit", async () => {
    await site.person("known@example.org");
    await site.invite("invited@example.org");
    for (const name of ["known@example.org", "invited@example.org", "unknown@example.org", "@"]) {
      const attacker = site.browser();
      await guess(passwordAttemptLimits(name), attacker, 9);
      const { status, fault } = await attacker.signIn(name, "x");
      assert.deepEqual([status, fault], [401, WRONG], name);
      assert.equal((await attacker.signIn(name, "x")).status, 429, name);
    }
  });

  it("cannot be told by the time it takes", async () => {
    await site.person("slow@example.org");
    const times: Record<string, number[]> = { "slow@example.org": [], "none@example.org": [] };
    for (let round = 0; round < 5; round += 1) {
      for (const [name, found] of Object.entries(times)) {
        const browser = site.browser();
        // Of the processor, as a busy machine may take any time.
        const before = process.cpuUsage();
        await browser.signIn(name, "wrong words in a row");
        const { user, system } = process.cpuUsage(before);
        found.push((user + system) / 1000);
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map((each) => Math.min(...each));
    const ratio = known / unknown;
    assert(ratio > 0.5 && ratio < 2, `known ${known} ms, unknown ${unknown} ms`);
  });
});

describe("a code", () => {
  it("works once, until it is replaced, and for seven days", async () => {
    const { id, code } = await site.invite("una@example.org");
    const claim = async (tried: string) => {
      const form = { code: tried, "new-password": PASSWORD };
      const { status, fault } = await site.browser().send("/admin/claim", form);
      return `${status} ${fault}`;
    };
    const refused = "404 This code is not valid, has been used or has expired";
    const delivery = { now: site.clock.now, origin: ORIGIN, sendsMail: false };
    const renewed = await site.app.record.atomically((stores) =>
      renewAdminCode(stores, { kind: "operator" }, id, delivery),
    );
    assert.equal(await claim(code), refused, "replaced");
    assert.equal(await claim("cplc_nonsense"), refused);
    assert.equal(await claim(renewed.code ?? ""), "303 ");
    assert.equal(await claim(renewed.code ?? ""), refused, "used");
    const late = await site.invite("lea@example.org");
    site.wait(7 * 24 * HOUR);
    assert.equal(await claim(late.code), refused, "expired");
  });

  it("is used by one of two who enter it in the same moment", async () => {
    const { code } = await site.invite("duo@example.org");
    const form = { code, "new-password": PASSWORD };
    const answers = await Promise.all([1, 2].map(() => site.browser().send("/admin/claim", form)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404]);
  });

  it("in an address is refused and not repeated", async () => {
    const { code } = await site.invite("url@example.org");
    const { status, text } = await site.browser().get(`/admin/claim?code=${code}`);
    assert.deepEqual([status, text.includes(code)], [400, false]);
  });
});

describe("a forged form", () => {
  it("changes nothing at any page, in none of five ways", async () => {
    const owner = await site.person("csrf@example.org", "owner");
    const before = await site.app.sql("SELECT * FROM audit");
    for (const { path, method } of ADMIN_ROUTES) {
      if (method !== "POST") continue;
      for (const [way, headers] of FORGED_FORMS) {
        const form = { email: "csrf@example.org", password: PASSWORD };
        const { status } = await owner.send(path, form, headers);
        assert(status === 403 || status === 415, `${path} ${way}: ${status}`);
      }
    }
    assert.deepEqual(await site.app.sql("SELECT * FROM audit"), before);
    assert.equal((await owner.get("/admin/account")).status, 200);
  });

  it("with a wrong token, or that of another session, changes nothing", async () => {
    const ann = await site.person("ann@example.org");
    const bob = await site.person("bob@example.org");
    const [, ofBob = ""] =
      /name="token" value="([^"]+)"/.exec((await bob.get("/admin/account")).text) ?? [];
    assert(ofBob);
    for (const token of ["wrong", ofBob]) {
      const { status, fault } = await ann.send("/admin/sign-out", { token });
      assert.equal(status, 403);
      assert.match(fault, /^This form belongs to another session/);
    }
    assert.equal((await ann.get("/admin/account")).status, 200);
  });
});

describe("a large form", () => {
  it("is refused before it is read: of a stranger, and where no text belongs", async () => {
    const form = { email: "a@example.org", password: "x".repeat(20_000) };
    assert.equal((await site.browser().send(SIGN_IN, form)).status, 413);
    assert.equal((await site.browser().send("/admin/account/password", form)).status, 401);
  });
});

describe("on plain HTTP beyond this machine", () => {
  it("sign-in says why it does not work", onlyOnSqlite(), async () => {
    await using plain = await openPeopleSite({ config: { origin: "http://quotes.example:8080" } });
    const { status, fault, text } = await plain.browser().get(SIGN_IN);
    assert.equal(status, 403);
    assert.match(fault, /^Sign-in does not work at http:\/\/quotes\.example:8080: over plain HTTP/);
    assert.match(fault, /Put a proxy with TLS in front, set PUBLIC_URL to its https:\/\/ address/);
    assert.doesNotMatch(text, /<form/);
  });

  it("also where only the visitor came that way", async () => {
    const form = { email: "a@example.org", password: PASSWORD };
    const headers = { Origin: "http://192.168.1.5:8080", "Sec-Fetch-Site": "" };
    const { status, fault } = await site.browser().send(SIGN_IN, form, headers);
    assert.equal(status, 403);
    assert.match(fault, /^Sign-in does not work at http:\/\/192\.168\.1\.5:8080: over plain HTTP/);
  });

  it("works on the machine itself", onlyOnSqlite(), async () => {
    await using local = await openPeopleSite({ config: { origin: "http://127.0.0.1:8080" } });
    assert.equal((await local.browser().get(SIGN_IN)).status, 200);
  });
});

/** Wrong attempts of earlier, without the time that each takes. */
async function guess(
  target: ReturnType<typeof adminCodeAttemptLimits>,
  { address }: { address: string },
  times: number,
): Promise<void> {
  const context = { address, now: site.clock.now };
  for (let tried = 0; tried < times; tried += 1)
    await countAttemptOrThrow(site.app.record, target, context);
}
