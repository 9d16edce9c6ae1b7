import assert from "node:assert/strict";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import type { Mail } from "../../src/mail/outbox.ts";
import { abandonUnsendableMails, createMailQueue } from "../../src/mail/sending/mail-queue.ts";
import { createSmtpDelivery } from "../../src/mail/sending/smtp.ts";
import { QueueWorker } from "../../src/work/queue-worker.ts";
import { listening } from "../support/listening.ts";
import { LOGIN, openMailServer } from "../support/mail-server.ts";
import { NOW, openRecordStore } from "../support/record-store.ts";

const MINUTE = 60;
const CODE = `cplc_${"aB3".repeat(12)}xy`;
const MAIL: Mail = {
  kind: "key-approved",
  about: "request-1",
  to: "ada@reader.example",
  replyTo: null,
  subject: "Your key to Quotations Association",
  text: `Hello Ada,\n\nyour code: ${CODE}\n`,
};

describe("a mail", () => {
  it("arrives as plain text, whole, with clean headers", async () => {
    await using server = await openMailServer({ login: true });
    await using office = await openOffice(server.url);
    const text = `Hello مريم,\n\n${"a long line of words ".repeat(60)}\n.\n.. dots\nFrom me =\n`;
    await office.put({
      ...MAIL,
      replyTo: { name: 'Zoë "Z" <x@y.example>', email: "zoe@reader.example" },
      subject: "Grüße an Zoë",
      text,
    });
    await office.round();
    const [mail] = server.caught;
    assert(mail !== undefined);
    assert.deepEqual([mail.from, mail.to], ["editors@quotations.example", ["ada@reader.example"]]);
    assert.equal(mail.text, text);
    assert.equal(mail.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(mail.headers.get("content-transfer-encoding"), "quoted-printable");
    assert.equal(mail.headers.get("from"), "Quotations Association <editors@quotations.example>");
    assert.equal(mail.headers.get("to"), "ada@reader.example");
    assert.match(mail.headers.get("reply-to") ?? "", /^=\?UTF-8\?.* <zoe@reader\.example>$/);
    assert.match(mail.headers.get("subject") ?? "", /^=\?UTF-8\?/);
    assert.match(mail.headers.get("message-id") ?? "", /^<[0-9a-f-]{36}@quotations\.example>$/);
    assert.equal(mail.headers.get("date"), "Sat, 21 Nov 2026 12:00:00 +0000");
    assert.equal(mail.headers.get("auto-submitted"), "auto-generated");
    assert.equal(mail.headers.get("x-mailer"), undefined);
    for (const line of mail.raw.split("\r\n")) assert(line.length <= 998, "RFC 5322, 2.1.1");
    assert.doesNotMatch(mail.raw, /[^\r]\n|\P{ASCII}/u);
  });

  it("cannot be given further headers or recipients by what somebody typed", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    await office.put({
      ...MAIL,
      replyTo: { name: "A\r\nBcc: evil@evil.example", email: "a@b.example" },
      subject: "Key\r\nBcc: evil@evil.example\r\n\r\nbody",
      text: "one\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n",
    });
    await office.round();
    assert.equal(server.caught.length, 1);
    assert.deepEqual(server.caught[0]?.to, ["ada@reader.example"]);
    assert.equal(server.caught[0]?.headers.has("bcc"), false);
    assert.match(server.caught[0]?.text ?? "", /MAIL FROM/);
  });

  it("is kept without its text once it was sent", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    await office.put(MAIL);
    assert((await office.keptTexts()).includes(CODE));
    await office.round();
    assert(!(await office.keptTexts()).includes(CODE));
    const [state] = await office.states();
    assert.deepEqual(
      [state?.state, state?.attempts, state?.sentAt, state?.fault],
      ["sent", 1, NOW.toISOString(), null],
    );
  });

  it("is sent again after 1, 5, 15 and 60 minutes, when the server puts it off", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    server.answers.push(
      ...Array.from({ length: 4 }, () => ({ code: 451, text: `Later, says ${LOGIN.password}` })),
    );
    await office.put(MAIL);
    for (const minutes of [1, 5, 15, 60]) {
      await office.round();
      const [state] = await office.states();
      assert.equal(state?.state, "waiting");
      assert.equal(state?.fault, `the mail server 127.0.0.1:${server.port} put the mail off (451)`);
      office.wait(minutes * MINUTE - 1);
      await office.round();
      assert.equal(server.caught.length, 0);
      office.wait(1);
    }
    await office.round();
    assert.equal(server.caught.length, 1);
    assert.equal((await office.states())[0]?.attempts, 5);
  });

  it("is given up at once when it is refused for good, and after three days otherwise", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    server.answers.push({ code: 550, text: "No such user" });
    await office.put({ ...MAIL, about: "refused" });
    await office.round();
    const [refused] = await office.states("refused");
    assert.deepEqual(
      [refused?.state, refused?.fault],
      ["given_up", `the mail server 127.0.0.1:${server.port} refused the mail (550)`],
    );
    await office.put(MAIL);
    server.answers.push(...Array.from({ length: 100 }, () => ({ code: 421, text: "Busy" })));
    for (let hours = 0; hours < 80; hours += 1) {
      await office.round();
      office.wait(60 * MINUTE);
    }
    const [late] = await office.states();
    assert.equal(late?.state, "given_up");
    assert((late?.attempts ?? 0) > 15 && (late?.attempts ?? 0) < 25, String(late?.attempts));
    assert(!(await office.keptTexts()).includes(CODE));
  });

  it("waits while nobody answers, and is told so", async () => {
    const port = await closedPort();
    await using office = await openOffice(`smtp://127.0.0.1:${port}`);
    await office.put(MAIL);
    await office.round();
    const [state] = await office.states();
    assert.equal(
      state?.fault,
      `the mail server 127.0.0.1:${port} cannot be reached or does not answer`,
    );
    assert.equal(state?.nextAttemptAt, new Date(NOW.getTime() + 60_000).toISOString());
  });

  it("waits while the login is refused, and nobody gets to see the password", async () => {
    await using server = await openMailServer({ login: true });
    const wrong = server.url.replace(encodeURIComponent(LOGIN.password), "wr0ng%26pw");
    await using office = await openOffice(wrong);
    await office.put(MAIL);
    await office.round();
    const [state] = await office.states();
    assert.deepEqual([state?.state, server.caught.length], ["waiting", 0]);
    assert.equal(
      state?.fault,
      `the mail server 127.0.0.1:${server.port} refused the login (535): check SMTP_URL`,
    );
    const told = office.logged.join("") + JSON.stringify(state);
    assert.match(told, /Could not send a mail/);
    for (const secret of ["wr0ng", LOGIN.user, CODE, "Hello Ada"]) assert(!told.includes(secret));
  });

  it("does not go out with a password in the open, but to this very machine", async () => {
    await using server = await openMailServer({ login: true });
    // Leads to this machine as well, but does not say so.
    await using office = await openOffice(server.url.replace("127.0.0.1", "0.0.0.0"));
    await office.put(MAIL);
    await office.round();
    const [state] = await office.states();
    assert.deepEqual([state?.state, server.caught.length], ["waiting", 0]);
    assert.match(state?.fault ?? "", /^no safe connection to the mail server 0\.0\.0\.0:/);
  });

  it("does not go out under a certificate that cannot be checked", async () => {
    await using secure = await openMailServer({ secure: true });
    await using office = await openOffice(secure.url.replace("smtp:", "smtps:"));
    await office.put(MAIL);
    await office.round();
    const [state] = await office.states();
    assert.deepEqual([state?.state, secure.caught.length], ["waiting", 0]);
    assert.match(
      state?.fault ?? "",
      /^no safe connection to the mail server .*: check its name, port and certificate$/,
    );
  });

  it("is sent once by two processes on one store", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    for (let count = 0; count < 20; count += 1)
      await office.put({ ...MAIL, about: `request-${count}` });
    await Promise.all([office.round(), office.round(office.another())]);
    assert.equal(server.caught.length, 20);
    assert.equal(new Set(server.caught.map(({ headers }) => headers.get("message-id"))).size, 20);
  });

  it("holds up the end of the program only briefly, and is tried again later", async () => {
    const silent = createServer(() => {});
    const port = await listening(silent);
    await using office = await openOffice(`smtp://127.0.0.1:${port}`);
    await office.put(MAIL);
    const worker = office.another();
    await worker.work();
    await worker.stop();
    assert.deepEqual(
      (await office.states()).map(({ state, attempts, fault }) => [state, attempts, fault]),
      [["waiting", 1, null]],
    );
    await new Promise<void>((resolve) => {
      silent.close(() => resolve());
    });
  });

  it("is taken up by another process when the first died over it", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    await office.put(MAIL);
    const until = new Date(NOW.getTime() + 5 * MINUTE * 1000);
    assert.equal((await office.outbox.takeDue(NOW, until))?.attempts, 1);
    await office.round();
    assert.equal(server.caught.length, 0);
    office.wait(5 * MINUTE);
    await office.round();
    assert.equal(server.caught.length, 1);
  });

  it("is not sent any more when a later decision made it wrong", async () => {
    await using server = await openMailServer();
    await using office = await openOffice(server.url);
    await office.put(MAIL);
    await office.outbox.withdraw(MAIL.about, MAIL.kind);
    await office.round();
    assert.deepEqual([(await office.states())[0]?.state, server.caught.length], ["withdrawn", 0]);
    assert(!(await office.keptTexts()).includes(CODE));
  });

  it("does not wait for ever in a store whose service sends no mail any more", async () => {
    await using office = await openOffice(null);
    await office.put(MAIL);
    await abandonUnsendableMails(office.outbox, new Date(NOW.getTime() + 71 * 60 * MINUTE * 1000));
    assert.equal((await office.states())[0]?.state, "waiting");
    await abandonUnsendableMails(office.outbox, new Date(NOW.getTime() + 73 * 60 * MINUTE * 1000));
    const [state] = await office.states();
    assert.deepEqual([state?.state, state?.fault], ["given_up", "SMTP_URL is not set any more"]);
    assert(!(await office.keptTexts()).includes(CODE));
  });
});

describe("SMTP_URL", () => {
  const READ: [url: string, server: object][] = [
    [
      "smtp://mail.example.org",
      { host: "mail.example.org", port: 587, isSecure: false, login: null },
    ],
    [
      "smtps://mail.example.org",
      { host: "mail.example.org", port: 465, isSecure: true, login: null },
    ],
    [
      "smtp://a%40b:p%2Fw%20@[::1]:25/",
      { host: "::1", port: 25, isSecure: false, login: { user: "a@b", password: "p/w " } },
    ],
  ];
  for (const [url, server] of READ) {
    it(`is read: ${url}`, () => {
      assert.deepEqual(readConfig({ SMTP_URL: url }).mail, { ...server, from: null });
    });
  }

  for (const url of [
    "mail.example.org",
    "http://a:s3cret@b",
    "smtp://a:s3cret@",
    "smtp://a:s3cret@b/c",
    "smtp://a:s3cret@b?x",
    "smtp://a:s3cret%@b",
  ]) {
    it(`is refused in words that do not repeat it: ${url.replace("s3cret", "…")}`, () => {
      assert.throws(
        () => readConfig({ SMTP_URL: url }),
        ({ message }) => {
          assert.match(message, /SMTP_URL: use smtp:\/\/USER:PASSWORD@HOST:PORT/);
          return !message.includes("s3cret");
        },
      );
    });
  }

  it("may have another sender, which is an address", () => {
    const settings = { SMTP_URL: "smtp://localhost", MAIL_FROM: "site@example.org" };
    assert.equal(readConfig(settings).mail?.from, "site@example.org");
    assert.throws(() => readConfig({ MAIL_FROM: "site" }), /MAIL_FROM: give an e-mail address/);
  });
});

/** An outbox on a store of its own, and who empties it. */
async function openOffice(url: string | null) {
  const store = await openRecordStore();
  const { outbox } = store.record;
  const clock = { now: NOW };
  const logged: string[] = [];
  const log = createLog("debug", (line) => logged.push(line));
  const server = url === null ? null : readConfig({ SMTP_URL: url }).mail;
  const another = () =>
    new QueueWorker(
      createMailQueue({
        outbox,
        deliver: server === null ? null : createSmtpDelivery(server),
        sender: () => ({ name: "Quotations Association", email: "editors@quotations.example" }),
        steadyNow: () => clock.now,
        log,
      }),
      log,
    );
  const worker = another();
  return {
    outbox,
    logged,
    another,
    wait(seconds: number) {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
    put: async (mail: Mail) => await outbox.put(mail, clock.now),
    async round(by = worker) {
      await by.work();
      await by.settled();
    },
    states: async (about = MAIL.about) => await outbox.statesAbout(about),
    keptTexts: async () => JSON.stringify(await store.sql("SELECT text FROM mails")),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
