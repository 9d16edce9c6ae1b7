import { receiveKeyRequest } from "../../src/access/submissions/key-requests.ts";
import { receiveMessage } from "../../src/access/submissions/messages.ts";
import { largePng } from "./media-bytes.ts";
import { ORIGIN } from "./open-fixture.ts";
import type { Browser, PeopleSite } from "./people.ts";
import { sendTo } from "./send-to.ts";

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** Ids of one thing of each kind that screens show. Each key is the part of the address before the id. */
export type AdminThings = Readonly<Record<string, string>>;

/** Makes one thing of each kind. Uses the caller's text wherever a visitor or an editor can write one. */
export async function makeAdminThings(
  site: PeopleSite,
  owner: Browser,
  text: string,
): Promise<AdminThings> {
  const idOf = (place: string | null) => ID.exec(place ?? "")?.[0] ?? "";
  const newDraft = async () =>
    idOf((await owner.send("/admin/new", { type: "topic", title: text })).location);
  const item = JSON.parse((await owner.send("/admin/names", { type: "topic", title: text })).text);
  const share = `/admin/drafts/${await newDraft()}/share`;
  await owner.send(share, { note: text, days: "1" });
  const { stores } = site.app.apiParts;
  const visitor = { name: text, email: "ada@example.org" };
  const circumstances = { now: site.clock.now, origin: ORIGIN, sendsMail: false };
  const asked = { ...visitor, organisation: text, task: text, data: text, access: "read" } as const;
  const request = await receiveKeyRequest(stores, asked, { ...circumstances, requestId: "one" });
  const message = await receiveMessage(
    stores,
    { ...visitor, text },
    { ...circumstances, requestId: "two" },
  );
  await owner.send("/admin/keys", { name: text.slice(0, 100), holder: text, rate: "60" });
  const hook = { url: "https://93.184.215.14/in", events: "key.issue", description: text };
  await owner.send("/admin/webhooks", hook);
  await owner.send("/admin/redirects", { from: "/old", to: "/about" });
  const job = await owner.send("/admin/jobs/export");
  const person = await site.person(`of-${owner.address}@example.org`, "viewer");
  const firstIn = async (path: string, kind: string) => {
    const page = await owner.get(path);
    return new RegExp(`/admin/${kind}/(${ID.source})`).exec(page.text)?.[1] ?? "";
  };
  return {
    content: item.id,
    drafts: await newDraft(),
    media:
      (await uploadPicture(site, owner, `${text.replaceAll("/", "")}.png`))?.split("/").at(-1) ??
      "",
    requests: request.id,
    messages: message.id,
    keys: await firstIn("/admin/keys", "keys"),
    webhooks: await firstIn("/admin/webhooks", "webhooks"),
    redirects: await firstIn("/admin/redirects", "redirects"),
    jobs: idOf(job.location) || (await firstIn("/admin/jobs", "jobs")),
    people: person.id,
    "preview-codes": await firstIn(share, "preview-codes"),
  };
}

/** Uploads a file as the form of the screen does. @returns the target of the redirect. */
async function uploadPicture(
  site: PeopleSite,
  { cookies, get }: Browser,
  name: string,
): Promise<string | null> {
  const form = new FormData();
  form.set(
    "token",
    / name="token" value="([^"]+)"/.exec((await get("/admin/media")).text)?.[1] ?? "",
  );
  form.set(
    "file",
    new File(
      [new Uint8Array(largePng(8, 8, Buffer.from([name, ...cookies.values()].join())))],
      name,
    ),
  );
  const sent = new Response(form);
  const answer = await sendTo(site.app.http, "/admin/media", {
    method: "POST",
    headers: {
      "Content-Type": sent.headers.get("content-type") ?? "",
      Cookie: [...cookies].map(([each, value]) => `${each}=${value}`).join("; "),
      Origin: ORIGIN,
      "Sec-Fetch-Site": "same-origin",
    },
    body: new Uint8Array(await sent.arrayBuffer()),
  });
  return answer.headers.get("location");
}
