import assert from "node:assert/strict";
import { it } from "node:test";
import { receiveKeyRequest } from "../../../src/access/submissions/key-requests.ts";
import { messageInputSchema, receiveMessage } from "../../../src/access/submissions/messages.ts";
import { NOW, ORIGIN } from "../../support/open-fixture.ts";
import { openPeopleSite } from "../../support/people.ts";

it("a message links the page it is about, in the language of the screen", async () => {
  await using site = await openPeopleSite();
  const sent = { name: "Carla", email: "carla@example.org", text: "A word is missing.\nRegards" };
  await site.app.record.atomically(async (stores) => {
    const context = { now: NOW, origin: ORIGIN, sendsMail: false };
    const about = { ...sent, about: "/topics/time" };
    await receiveMessage(stores, messageInputSchema.parse(about), context);
    for (const elsewhere of ["//elsewhere.example", "/\\elsewhere.example"]) {
      const hostile = { ...sent, text: `About: ${elsewhere}\n\nA word is missing.` };
      await receiveMessage(stores, messageInputSchema.parse(hostile), context);
    }
  });
  const olga = await site.person("olga@example.org", "owner");
  const { text } = await olga.get("/admin/messages", { "Accept-Language": "de" });
  assert.match(text, /<p>Zu: <a href="\/topics\/time">\/topics\/time<\/a><\/p>/);
  assert.match(text, /<p class="text">A word is missing.\nRegards<\/p>/);
  assert.doesNotMatch(text, /href="[^"]*elsewhere/);
});

it("the desk counts new messages up to 100, and says that there are more", async () => {
  await using site = await openPeopleSite();
  const input = messageInputSchema.parse({
    name: "Carla",
    email: "carla@example.org",
    text: "A word is missing.",
    about: "/topics/time",
  });
  const receive = async (count: number) => {
    await site.app.record.atomically(async (stores) => {
      const context = { now: NOW, origin: ORIGIN, sendsMail: false };
      for (let received = 0; received < count; received += 1) {
        await receiveMessage(stores, input, context);
      }
    });
  };
  const olga = await site.person("olga@example.org", "owner");
  await receive(100);
  assert.match((await olga.get("/admin/desk")).text, /New messages: 100</);
  await receive(1);
  assert.match((await olga.get("/admin/desk")).text, /New messages: 100\+</);
});

it("a declined key request says why, and can be approved after all", async () => {
  await using site = await openPeopleSite();
  const asked = { name: "Ada", email: "ada@example.org", organisation: "", task: "Read", data: "" };
  const context = { now: NOW, origin: ORIGIN, sendsMail: false, requestId: "one" };
  const input = { ...asked, access: "read" } as const;
  const { id } = await site.app.record.atomically((stores) =>
    receiveKeyRequest(stores, input, context),
  );
  const olga = await site.person("olga@example.org", "owner");
  const path = `/admin/requests/${id}`;
  await olga.send(`${path}/decline`, { reason: "Too vague" });
  const { text } = await olga.get(path);
  assert.match(text, /<dt>Reason<\/dt><dd>Too vague<\/dd>/);
  assert.match(text, /<h2>Approve it after all<\/h2>/);
  assert.doesNotMatch(text, /\/decline"/);
  const approved = await olga.send(`${path}/approve`, { rate: "60" });
  assert.match(approved.text, /<p class="code">/, approved.fault);
});
