import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { HtmlValidate } from "html-validate";
import { messageInputSchema } from "../../src/access/submissions/messages.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { archiveItem } from "../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { type ContactSite, MESSAGE, openContactSite, REQUEST } from "../support/contact.ts";
import { ORIGIN } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

const OPERATOR = { kind: "operator" } as const;
const HTML = { accept: "text/html" };

const site = await openContactSite();
after(() => site[Symbol.asyncDispose]());

const validator = new HtmlValidate({ extends: ["html-validate:standard"], elements: ["html5"] });

describe("the contact page", () => {
  it("carries both forms, and is not kept for others", async () => {
    const response = await site.app.get("/contact", HTML);
    assert.equal(response.headers.get("cache-control"), "private, no-cache");
    const html = await response.text();
    assert.deepEqual(html.match(/<form class="visitor-form" id="[a-z-]+"/g)?.length, 2);
    await assertValid(html);
  });

  it("tells its own text and the forms' addresses in Markdown, without a form", async () => {
    const twin = await site.app.get("/contact.md");
    assert.match(twin.headers.get("cache-control") ?? "", /^public/);
    const text = await twin.text();
    assert.match(text, /Write to \[editors@quotations\.example\]/);
    assert.doesNotMatch(text, /<form|opened/);
  });

  for (const [path, title] of [
    ["/contact/claim", "Claim your key"],
    ["/contact/message-sent", "Thank you for your message"],
    ["/contact/key-requested", "Thank you for your request"],
  ] as const) {
    it(`has ${path} beside it, in both forms and not for search engines`, async () => {
      const response = await site.app.get(path, HTML);
      assert.deepEqual([response.status, response.headers.get("x-robots-tag")], [200, "noindex"]);
      await assertValid(await response.text());
      assert.match(
        await (await site.app.get(`${path}.md`)).text(),
        new RegExp(`^# ${title}$`, "m"),
      );
    });
  }

  it("takes along the page that a reader reports, and stores it with the message", async () => {
    const about = async (path: string) => {
      const html = await (await site.app.get(`/contact?about=${path}`, HTML)).text();
      return /name="about"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? "";
    };
    assert.equal(await about("/quotations/abactor"), "/quotations/abactor");
    assert.equal(await about("https://elsewhere.example"), "");
    const { text } = messageInputSchema.parse({ ...MESSAGE, about: "/quotations/abactor" });
    assert.equal(text, `About: /quotations/abactor\n\n${MESSAGE.text}`);
  });

  it("answers other methods by name", async () => {
    const put = await sendTo(site.app.http, "/contact", { method: "PUT", headers: HTML });
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, POST, OPTIONS"]);
    const options = await sendTo(site.app.http, "/contact/claim", { method: "OPTIONS" });
    assert.deepEqual(
      [options.status, options.headers.get("allow")],
      [204, put.headers.get("allow")],
    );
    const elsewhere = await site.post("/about", "a=b");
    assert.deepEqual(
      [elsewhere.status, elsewhere.headers.get("allow")],
      [405, "GET, HEAD, OPTIONS"],
    );
  });
});

describe("the forms stay", () => {
  it("at the address of the page when it moves, and take what is sent there", async () => {
    await using moving = await openContactSite();
    const { id } = await contactItem(moving);
    await savePage(moving, { path: "/kontakt" }, { id });
    const old = await moving.app.get("/contact", HTML);
    assert.deepEqual([old.status, old.headers.get("location")], [308, "/kontakt"]);
    const { html, opened } = await moving.open("/kontakt");
    assert.match(html, /<h1>Kontakt<\/h1>/);
    moving.wait(10);
    const form = new URLSearchParams({ form: "message", opened, ...MESSAGE });
    assert.equal((await moving.post("/contact", form)).status, 303);
    form.set("email", "");
    const again = await moving.post("/contact", form);
    assert.equal(again.status, 422);
    assert.match(await again.text(), /<h1>Not sent yet – Kontakt<\/h1>/);
  });

  it("on its translations", async () => {
    await using translated = await openContactSite();
    const page = await contactItem(translated);
    await savePage(translated, {
      path: "/de/kontakt",
      language: "de",
      translationOf: page.path,
    });
    assert.match((await translated.open("/de/kontakt")).html, /id="key-request"/);
    assert.doesNotMatch((await translated.open("/about")).html, /visitor-form/);
  });

  it("alone at /contact when the page is withdrawn", async () => {
    await using withdrawn = await openContactSite();
    const page = await contactItem(withdrawn);
    const { now } = withdrawn.clock;
    await archiveItem(withdrawn.app.record.content, OPERATOR, page.id, { now });
    const response = await withdrawn.app.get("/contact", HTML);
    assert.equal(response.status, 200);
    const html = await response.text();
    assert.match(html, /<h1>Contact<\/h1>/);
    await assertValid(html);
    assert.equal((await withdrawn.send("message", MESSAGE)).status, 303);
  });
});

describe("a form that was sent", () => {
  it("leads on to a page that says what happens next, and is kept", async () => {
    const response = await site.send("key-request", REQUEST);
    assert.deepEqual(
      [response.status, response.headers.get("location")],
      [303, "/contact/key-requested"],
    );
    const [kept] = await site.app.record.keyRequests.list({ state: null, before: null, limit: 1 });
    assert.deepEqual({ ...kept, ...REQUEST }, kept);
    const sent = await site.send("message", MESSAGE);
    assert.equal(sent.headers.get("location"), "/contact/message-sent");
    const [message] = await site.app.record.messages.list({ state: "new", before: null, limit: 1 });
    assert.deepEqual({ ...message, ...MESSAGE }, message);
  });

  it("is kept once however often it is clicked, and does not count again", async () => {
    const from = { "X-Forwarded-For": "203.0.113.200" };
    const { opened } = await site.open();
    site.wait(10);
    const values = { form: "message", opened, ...MESSAGE, text: "Only once" };
    const clicks = Array.from({ length: 7 }, async () => {
      return (await site.post("/contact", new URLSearchParams(values), from)).status;
    });
    assert.deepEqual(new Set(await Promise.all(clicks)), new Set([303]));
    const kept = await site.app.record.messages.list({ state: null, before: null, limit: 100 });
    assert.equal(kept.filter(({ text }) => text === "Only once").length, 1);
    const other = new URLSearchParams({ ...values, text: "Something else" });
    assert.equal((await site.post("/contact", other, from)).status, 303);
  });

  it("keeps any script, long texts and line breaks as they were typed", async () => {
    const values = {
      name: "  مريم   O’Brien 🙂 ",
      email: "maryam@bücher.example",
      text: `\u05e9\u05dc\u05d5\u05dd\r\n\r\n${"word ".repeat(1998)}end`,
    };
    assert.equal((await site.send("message", values)).status, 303);
    const [message] = await site.app.record.messages.list({ state: null, before: null, limit: 1 });
    assert.equal(message?.name, "مريم   O’Brien 🙂");
    assert.equal(message?.email, "maryam@xn--bcher-kva.example");
    assert.equal(message?.text, values.text.replaceAll("\r\n", "\n"));
  });

  it("comes again when something is wrong, with what was typed and the faults beside it", async () => {
    const typed = { ...REQUEST, name: '<b>"Ada"', email: "nobody", task: " \n ", access: "all" };
    const response = await site.send("key-request", typed);
    assert.equal(response.status, 422);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const html = await response.text();
    await assertValid(html);
    for (const [field, message] of [
      ["email", "Give an e-mail address, as name@example.org"],
      ["task", "Tell us what the key is for"],
    ] as const) {
      assert(html.includes(`<a href="#key-request-${field}">${message}</a>`), field);
      assert(
        html.includes(`<p class="fault" id="key-request-${field}-fault">${message}</p>`),
        field,
      );
    }
    assert.match(
      html,
      /<a href="#key-request-access-read">Choose reading, or reading and writing</,
    );
    assert.match(html, /id="key-request-name" .*value="&lt;b&gt;&quot;Ada&quot;"/);
    assert.match(
      html,
      /id="key-request-email" .*aria-describedby="key-request-email-hint key-request-email-fault" aria-invalid="true" type="email" value="nobody"/,
    );
    assert.match(html, /<textarea id="key-request-data"[^>]*>\nQuotations<\/textarea>/);
    assert.match(html, /<input id="message-name"[^>]* value=""/);
  });

  const FAULTS: [what: string, values: Record<string, string>, message: string][] = [
    ["nothing", { name: "", email: "", text: "" }, "Tell us your name"],
    ["a NUL", { ...MESSAGE, text: "a\0b" }, "Leave out control characters: they cannot be shown"],
    ["an escape sequence", { ...MESSAGE, name: "\u001b[2J" }, "Leave out control characters"],
    [
      "a line break in a name",
      { ...MESSAGE, name: "A\r\nBcc: x@y.example" },
      "Write this on one line",
    ],
    [
      "a line break in an address",
      { ...MESSAGE, email: "a@b.example\r\nBcc:c@d.example" },
      "Give an e-mail address",
    ],
    ["two addresses", { ...MESSAGE, email: "a@b.example, c@d.example" }, "Give an e-mail address"],
    ["an address without a host", { ...MESSAGE, email: "a@" }, "Give an e-mail address"],
    ["a path", { ...MESSAGE, email: "a@b.example/c" }, "Give an e-mail address"],
    ["a subject", { ...MESSAGE, email: "a@b.example?subject=c" }, "Give an e-mail address"],
    ["an encoded host", { ...MESSAGE, email: "a@b.exa%6dple" }, "Give an e-mail address"],
    ["a name too long", { ...MESSAGE, name: "n".repeat(101) }, "Give at most 100 characters"],
    ["a text too long", { ...MESSAGE, text: "n".repeat(10_001) }, "Give at most 10,000 characters"],
    ["a filled trap", { ...MESSAGE, link: "https://spam.example" }, "Leave this field empty"],
  ];
  for (const [what, values, message] of FAULTS) {
    it(`is refused with ${what}, in words`, async () => {
      const before = await site.app.record.messages.list({ state: null, before: null, limit: 100 });
      const response = await site.send("message", values);
      const html = await response.text();
      assert.equal(response.status, 422);
      assert(html.includes(`>${message}`), message);
      await assertValid(html);
      const kept = await site.app.record.messages.list({ state: null, before: null, limit: 100 });
      assert.equal(kept.length, before.length);
    });
  }

  it("shows a trap that was filled, so that a person can empty it", async () => {
    const html = await (await site.send("message", { ...MESSAGE, link: "x" })).text();
    assert.match(
      html,
      /<p class="field"><label for="message-link">Leave this field empty<\/label>/,
    );
  });
});

describe("the time at which a form was opened", () => {
  const sendOpened = async (opened: string) =>
    await site.post("/contact", new URLSearchParams({ form: "message", opened, ...MESSAGE }));

  it("must lie three seconds back, and a second attempt need not wait anew", async () => {
    const { opened } = await site.open();
    site.wait(1);
    const early = await sendOpened(opened);
    const html = await early.text();
    assert.equal(early.status, 422);
    assert.match(html, /That was faster than a person fills in a form/);
    assert(html.includes(`name="opened" value="${opened}"`));
    site.wait(2);
    assert.equal((await sendOpened(opened)).status, 303);
  });

  it("may lie hours back, as in a page from a cache, and a day is too long", async () => {
    const { opened } = await site.open();
    site.wait(23 * 3600);
    assert.equal((await sendOpened(opened)).status, 303);
    site.wait(3601);
    const late = await sendOpened(opened);
    const html = await late.text();
    assert.equal(late.status, 422);
    assert.match(html, /opened more than a day ago/);
    const fresh = / name="opened" value="([^"]+)"/.exec(html)?.[1] ?? "";
    site.wait(3);
    assert.equal((await sendOpened(fresh)).status, 303);
  });

  for (const forged of ["", "0", "toudmi.AAAAAAAAAAAAAAAAAAAAAA", "💥.é", "1.".repeat(500)]) {
    it(`cannot be made up: ${forged.slice(0, 30)}`, async () => {
      const response = await sendOpened(forged);
      assert.equal(response.status, 422);
      assert.match(await response.text(), /did not come from this page/);
    });
  }

  it("is signed with a secret of the store, and of no other", async () => {
    await using other = await openContactSite();
    other.clock.now = site.clock.now;
    const { opened } = await other.open();
    site.wait(10);
    assert.equal((await sendOpened(opened)).status, 422);
    await assert.doesNotReject(async () => await other.app.record.secrets.secret("form"));
    const [one, two] = await Promise.all([
      site.app.record.secrets.secret("form"),
      other.app.record.secrets.secret("form"),
    ]);
    assert.notEqual(one, two);
    assert.equal(one, await site.app.record.secrets.secret("form"));
  });
});

describe("what is no form of this page", () => {
  const REFUSED: [
    what: string,
    headers: Record<string, string>,
    body: string,
    status: number,
    said: RegExp,
  ][] = [
    [
      "another site's page",
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
      "",
      403,
      /from a page of another site/,
    ],
    [
      "a page of a sibling",
      { "Sec-Fetch-Site": "same-site" },
      "",
      403,
      /from a page of another site/,
    ],
    [
      "an old browser on another site",
      { "Sec-Fetch-Site": "", Origin: "null" },
      "",
      403,
      /from a page of another site/,
    ],
    [
      "files",
      { "Content-Type": "multipart/form-data; boundary=x" },
      "--x--",
      415,
      /files and other types are not taken/,
    ],
    [
      "JSON",
      { "Content-Type": "application/json" },
      "{}",
      415,
      /Send the form as application\/x-www-form-urlencoded/,
    ],
    ["no type", { "Content-Type": "" }, "a=b", 415, /Send the form as/],
    ["too much", {}, `text=${"x".repeat(65_536)}`, 413, /longer than 65536 bytes/],
    ["an unknown form", {}, "form=other", 400, /must be one of message, key-request/],
    ["nothing", {}, "", 400, /must be one of message, key-request/],
  ];
  for (const [what, headers, body, status, said] of REFUSED) {
    it(`is refused: ${what}`, async () => {
      const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
      const own = new Headers({
        Accept: "text/html",
        "Content-Type": "application/x-www-form-urlencoded",
        ...given,
      });
      if (headers["Content-Type"] === "") own.delete("Content-Type");
      const init = { method: "POST", headers: own, body: Buffer.from(body) };
      const response = await sendTo(site.app.http, "/contact", init);
      assert.equal(response.status, status);
      assert.match(await response.text(), said);
    });
  }

  it("but a page opened by another name of the host, and a program, may send it", async () => {
    for (const headers of [
      { "Sec-Fetch-Site": "same-origin", Origin: "http://localhost:8080" },
      { Origin: ORIGIN },
      {},
    ]) {
      const { opened } = await site.open();
      site.wait(5);
      const response = await sendTo(site.app.http, "/contact", {
        method: "POST",
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          "X-Forwarded-For": "203.0.113.77",
          ...headers,
        },
        body: String(new URLSearchParams({ form: "message", opened, ...MESSAGE })),
      });
      assert.equal(response.status, 303);
    }
  });
});

describe("the limit of an address", () => {
  it("is five an hour for each form, and loses nothing that was typed", async () => {
    const from = { "X-Forwarded-For": "2001:db8:1:2:aaaa::1" };
    const neighbour = { "X-Forwarded-For": "2001:db8:1:2:bbbb::9" };
    const started = site.clock.now.getTime();
    for (let count = 0; count < 5; count += 1) {
      assert.equal((await site.send("message", MESSAGE, count % 2 ? from : neighbour)).status, 303);
    }
    const refused = await site.send("message", MESSAGE, from);
    assert.equal(refused.status, 429);
    const html = await refused.text();
    assert.match(html, /has sent this form 5 times in an hour: send it again in 55 minutes/);
    assert.match(html, /A page is missing\./);
    await assertValid(html);
    assert.equal(refused.headers.get("retry-after"), "3300");
    assert.equal((await site.send("key-request", REQUEST, from)).status, 303);
    assert.equal(
      (await site.send("message", MESSAGE, { "X-Forwarded-For": "2001:db8:1:3::1" })).status,
      303,
    );
    const { opened } = await site.open();
    site.clock.now = new Date(started + 60_000 + 3_600_000);
    const form = new URLSearchParams({ form: "message", opened, ...MESSAGE });
    assert.equal((await site.post("/contact", form, from)).status, 303);
  });
});

async function assertValid(html: string): Promise<void> {
  const { results } = await validator.validateString(html);
  assert.deepEqual(
    results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line }) => ({ ruleId, message, line })),
    ),
    [],
  );
}

async function savePage(
  { app, clock }: ContactSite,
  said: { path: string; language?: string; translationOf?: string },
  options: { id?: string } = {},
): Promise<void> {
  const page = { type: "page", title: "Kontakt", status: "published", ...said };
  const input = itemInputSchema.parse(page);
  await saveItem(app.record.content, OPERATOR, input, clock.now, options);
}

async function contactItem({ app }: ContactSite) {
  const item = await app.record.content.itemAt("/contact");
  assert(item !== null);
  return item;
}
