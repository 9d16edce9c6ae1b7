import { setTimeout as wait } from "node:timers/promises";
import type { DemoServer } from "../demo-server.ts";
import { askApi } from "../drafts/site.ts";

const SCOPES = [
  ...["content:read", "content:write", "content:publish", "media:write"],
  ...["keys:manage", "requests:manage", "admins:manage", "audit:read"],
];
/** Forms that visitors send sooner are taken for spam. */
const FORM_PAUSE_MS = 3500;
const KNOWN_WITHIN_MS = 60_000;

/** The site on which tasks are done. Its methods prepare what tasks need. */
export interface TaskSite {
  origin: string;
  api(method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>>;
  /** Creates a public item. */
  item(input: Readonly<Record<string, unknown>>): Promise<{ id: string; path: string }>;
  /** Waits until the desk finds an item by its title. */
  known(title: string): Promise<void>;
  /** Sends the form that requests a key, as a visitor does. */
  askForKey(name: string): Promise<void>;
  /** Searches the public site without results, and waits until the desk reports it. */
  searchInVain(text: string): Promise<void>;
  upload(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<{ path: string }>;
  publicText(path: string): Promise<string>;
}

export async function openTaskSite(server: DemoServer): Promise<TaskSite> {
  const { origin } = server;
  const words = ["keys", "issue", "--name", "judge", "--rate", "100000", "--json"];
  const scopes = SCOPES.flatMap((scope) => ["--scope", scope]);
  const { key } = JSON.parse(await server.commonplace(...words, ...scopes));
  const api: TaskSite["api"] = async (method, path, body) => {
    const headers = { "If-Match": "*" };
    const options = body === undefined ? { headers } : { headers, body };
    const answer = await askApi({ origin, key }, method, path, options);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const publicText = async (path: string) => await (await fetch(origin + path)).text();
  return {
    origin,
    api,
    publicText,
    item: async (input) => await api("POST", "/content", { status: "published", ...input }),
    async known(title) {
      const deadline = performance.now() + KNOWN_WITHIN_MS;
      const path = `/content/names?${new URLSearchParams({ q: title })}`;
      while (performance.now() < deadline) {
        const { items } = await api("GET", path);
        if (items.some((item: { title: string }) => item.title === title)) return;
        await wait(100);
      }
      throw new Error(`The desk does not find "${title}"`);
    },
    async searchInVain(text) {
      await publicText(`/search?${new URLSearchParams({ q: text })}`);
      const deadline = performance.now() + KNOWN_WITHIN_MS;
      while (performance.now() < deadline) {
        const { searches } = await api("GET", "/stats");
        const known: readonly { text: string }[] = searches.topWithoutResult;
        if (known.some((each) => each.text === text)) return;
        await wait(100);
      }
      throw new Error(`The search for "${text}" was not counted`);
    },
    async upload(name, bytes) {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "image/png" };
      const address = `${origin}/api/v1/media?${new URLSearchParams({ name })}`;
      const answer = await fetch(address, { method: "POST", headers, body: bytes });
      return JSON.parse(await answer.text());
    },
    async askForKey(name) {
      const page = await publicText("/contact");
      const form = /<form[^>]*id="key-request"[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
      const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      await wait(FORM_PAUSE_MS);
      const body = new URLSearchParams(hidden.map(([, field = "", value = ""]) => [field, value]));
      for (const [field, value] of Object.entries({ name, ...VISITOR })) body.set(field, value);
      const headers = { Origin: origin, "Sec-Fetch-Site": "same-origin" };
      const options = { method: "POST", body, headers, redirect: "manual" } as const;
      const { status } = await fetch(`${origin}/contact`, options);
      if (status !== 303) throw new Error(`The request for a key was answered ${status}`);
    },
  };
}

const VISITOR = {
  email: "ada@example.org",
  organisation: "Example",
  task: "Reads quotations",
  data: "Quotations",
  access: "read",
};
