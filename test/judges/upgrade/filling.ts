import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { png } from "../../support/media-bytes.ts";
import { send } from "./writing.ts";

/** Forms that arrive sooner after they were opened are refused. */
const FILLED_IN_MS = 3100;
const PERSON = { name: "Ada", email: "ada@example.org" };
const FORMS: readonly Record<string, string>[] = [
  { form: "message", ...PERSON, text: "Written before the upgrade" },
  { form: "key-request", ...PERSON, task: "Asked before the upgrade", access: "read" },
];
const PASSWORD = "seven drills before breakfast";
const idSchema = z.object({ id: z.string() });
const codeSchema = z.object({ code: z.string() });
const pathsSchema = z.object({ paths: z.record(z.string(), z.unknown()) });

interface Site {
  origin: string;
  key: string;
}

/**
 * Does once what people and programs do with a site, so that few tables of its store stay empty.
 *
 * @returns the cookie of a person who is signed in; null: this version has no sessions.
 */
export async function fillSite(site: Site): Promise<string | null> {
  const has = await routesOf(site);
  const webhookId = await addWebhook(site);
  await publishPicture(site);
  if (has.drafts) {
    const changes = { title: "Begun", body: "Begun before the upgrade" };
    await send(site, "/drafts", { method: "POST", body: { type: "page", changes } });
  }
  const cookie = await addPerson(site, has.invitations);
  await send(site, "/exports", { method: "POST" });
  await fetch(`${site.origin}/search?q=friendship`);
  await sendForms(site);
  // Deliveries of a disabled webhook stay as they are.
  await send(site, `/webhooks/${webhookId}`, {
    method: "PATCH",
    body: { state: "disabled" },
    headers: { "if-match": "*" },
  });
  return cookie;
}

async function routesOf(site: Site): Promise<{ drafts: boolean; invitations: boolean }> {
  const { paths } = pathsSchema.parse(await send(site, "/openapi.json", { method: "GET" }));
  const names = Object.keys(paths);
  const has = (ending: string) => names.some((name) => name.endsWith(ending));
  return { drafts: has("/drafts"), invitations: has("/admins/{id}/code") };
}

async function addWebhook(site: Site): Promise<string> {
  const body = { url: "https://receiver.example/hook", events: ["content.*"], description: "" };
  return idSchema.parse(await send(site, "/webhooks", { method: "POST", body })).id;
}

async function publishPicture(site: Site): Promise<void> {
  const added = await send(site, "/media?name=dot.png", {
    method: "POST",
    bytes: png(1, 1),
    headers: { "content-type": "image/png" },
  });
  const { markdown } = z.object({ markdown: z.string() }).parse(added);
  const page = { type: "page", title: "Shown", path: "/shown", status: "published" };
  const body = { ...page, body: `A picture: ${markdown}` };
  await send(site, "/content", { method: "POST", body, headers: { "idempotency-key": "drill" } });
}

async function addPerson(site: Site, isInvited: boolean): Promise<string | null> {
  const way = isInvited ? { showCode: true } : { password: PASSWORD };
  const body = { ...PERSON, role: "viewer", ...way };
  const added = await send(site, "/admins", { method: "POST", body });
  if (!isInvited) return null;
  const { code } = codeSchema.parse(added);
  const reply = await fetch(`${site.origin}/admin/claim`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: site.origin },
    body: new URLSearchParams({ code, "new-password": PASSWORD }),
  });
  const cookie = reply.headers.get("set-cookie")?.split(";")[0];
  if (cookie === undefined) throw new Error(`The code of a person: ${reply.status}`);
  return cookie;
}

/** Whether a cookie still opens the person's account. */
export async function isSignedIn(origin: string, cookie: string): Promise<boolean> {
  const reply = await fetch(`${origin}/admin/account`, { redirect: "manual", headers: { cookie } });
  return reply.status === 200;
}

/** Sends a message to the editors and a request for a key. */
export async function sendForms({ origin }: Pick<Site, "origin">): Promise<void> {
  const html = await (await fetch(`${origin}/contact`)).text();
  const opened = /name="opened" value="([^"]+)"/.exec(html)?.[1] ?? "";
  await wait(FILLED_IN_MS);
  for (const form of FORMS) {
    const reply = await fetch(`${origin}/contact`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ ...form, opened }),
    });
    if (reply.status !== 303) throw new Error(`The form ${form["form"]}: ${reply.status}`);
  }
}
