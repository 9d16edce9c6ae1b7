import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

const WRITERS = 3;
const itemSchema = z.object({ id: z.string(), path: z.string(), title: z.string() });

/** A write that the server acknowledged. */
export interface Acknowledged {
  id: string;
  title: string;
  path: string;
}

/** Writes over the API until the server is gone. Returns what was acknowledged. */
export async function writeUntilKilled(
  { origin, key }: { origin: string; key: string },
  { during, kill }: { during: number; kill: () => Promise<void> },
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const writer = async (number: number) => {
    for (let round = 0; !isOver; round += 1) {
      try {
        for (const item of await writeOne({ origin, key }, `Written ${number}-${round}`)) {
          acknowledged.push(item);
        }
      } catch (error) {
        if (!isOver) throw error;
      }
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  await Promise.race([wait(during), writing]);
  isOver = true;
  await kill();
  await writing;
  return acknowledged;
}

/** Writes a page in each status for which a path can answer, and one that has moved. */
async function writeOne(
  site: { origin: string; key: string },
  title: string,
): Promise<Acknowledged[]> {
  const name = title.toLowerCase().replaceAll(" ", "-");
  const text = { title, body: `The text of *${title}*.` };
  const published = await post(site, "/content", {
    type: "page",
    path: `/${name}`,
    status: "published",
    ...text,
  });
  const draft = await post(site, "/content", { type: "page", path: `/${name}-draft`, ...text });
  await post(site, "/redirects", { from: `/old/${name}.php`, to: `/${name}` });
  const moved = await send(site, `/content/${published.id}`, {
    method: "PATCH",
    body: { path: `/${name}-moved` },
    headers: { "if-match": "*" },
  });
  return [itemSchema.parse(moved), draft];
}

async function post(
  site: { origin: string; key: string },
  path: string,
  body: unknown,
): Promise<Acknowledged> {
  const made = await send(site, path, { method: "POST", body, headers: {} });
  return path === "/content" ? itemSchema.parse(made) : { id: "", title: "", path: "" };
}

interface Sent {
  method: string;
  body?: unknown;
  /** A file, in place of a body of JSON. */
  bytes?: Uint8Array;
  headers?: Record<string, string>;
}

/** Sends a request to the API. @throws unless it succeeds. */
export async function send(
  { origin, key }: { origin: string; key: string },
  path: string,
  { method, body, bytes, headers = {} }: Sent,
): Promise<unknown> {
  const reply = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(bytes === undefined ? {} : { body: new Uint8Array(bytes) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
