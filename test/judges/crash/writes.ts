import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { png } from "../../support/media-bytes.ts";
import type { Facts } from "./facts.ts";
import type { Fault } from "./judging.ts";
import { isAcknowledged } from "./judging.ts";
import type { Moment } from "./scenarios.ts";

/** Slightly longer than the interval of the clock tasks. */
const CLOCK_MS = 1300;
const BULK = ["a", "b", "c", "d", "e"].map((name) => `/topics/bulk-${name}`);

interface Write {
  /** Method and path below `/api/v1`. `{item}` and `{file}` stand for ids that earlier requests created. */
  request: string;
  body: string | Buffer;
  type?: string;
  /** Remembers the id in the answer. */
  as?: "item" | "file";
  /** Whether the write is visible, as it must be once it was acknowledged. */
  holds(facts: Facts): boolean;
}

const topic = (title: string) => ({ type: "topic", title, status: "published" });
const json = (body: object) => JSON.stringify(body);
const lines = (bodies: readonly object[]) => bodies.map((body) => `${json(body)}\n`).join("");
const LINES = "application/x-ndjson";

/** One write of each kind that leaves something in the store or next to it. */
const WRITES: readonly Write[] = [
  {
    request: "POST /content",
    body: json(topic("Kept item")),
    as: "item",
    holds: ({ items }) => "/topics/kept-item" in items,
  },
  {
    request: "PATCH /content/{item}",
    body: json({ summary: "Changed" }),
    holds: ({ items }) => (items["/topics/kept-item"]?.revision ?? 0) >= 2,
  },
  {
    request: "POST /media",
    body: png(5, 5, 9),
    type: "image/png",
    as: "file",
    holds: ({ media }) => media.length === 3 || media.length === 2,
  },
  {
    request: "POST /content/bulk?mode=all-or-nothing",
    body: lines(BULK.map((path) => ({ ...topic(path), path, sourceKey: path.slice(1) }))),
    type: LINES,
    holds: ({ items }) => BULK.every((path) => path in items),
  },
  {
    request: "POST /redirects",
    body: json({ from: "/former", to: "/about" }),
    holds: ({ redirects }) => redirects.some((line) => line.includes("/former")),
  },
  {
    request: "POST /keys",
    body: json({ name: "Made over HTTP", scopes: ["mcp:read"] }),
    holds: ({ keys }) => keys.some((line) => line.includes("Made over HTTP")),
  },
  { request: "DELETE /media/{file}", body: "", holds: ({ media }) => media.length === 2 },
  {
    request: "DELETE /content/{item}",
    body: "",
    holds: ({ items }) => items["/topics/kept-item"]?.status === "deleted",
  },
  {
    request: "POST /imports",
    body: lines(
      ["one", "two"].map((sourceKey) => ({ ...topic(`Imported ${sourceKey}`), sourceKey })),
    ),
    type: LINES,
    holds: ({ jobs }) => jobs.some((line) => line.includes("import")),
  },
  {
    request: "POST /exports",
    body: "",
    holds: ({ jobs }) => jobs.some((line) => line.includes("export")),
  },
];

/** Sends the writes one after the other to a server that has just started, and stops it. */
export async function sendWrites(
  child: ChildProcess,
  { port, key }: { port: number; key: string },
): Promise<void> {
  if (!(await isServing(child))) return;
  const origin = `http://127.0.0.1:${port}`;
  const made = { item: "", file: "" };
  for (const { request, body, type = "application/json", as } of WRITES) {
    const [method = "", path = ""] = request.split(" ");
    const place = path.replace("{item}", made.item).replace("{file}", made.file);
    const send = () =>
      fetch(`${origin}/api/v1${place}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": type, "if-match": "*" },
        ...(body.length === 0 ? {} : { body: Uint8Array.from(Buffer.from(body)) }),
      }).catch(() => null);
    let answer = await send();
    // The desk's index may still be built.
    while (answer?.status === 503) {
      await wait(Number(answer.headers.get("retry-after") ?? 1) * 1000);
      answer = await send();
    }
    if (answer === null) return;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${request} is answered ${answer.status}: ${text}`);
    if (as !== undefined) made[as] = String(JSON.parse(text).id);
  }
  await wait(CLOCK_MS);
  child.kill("SIGTERM");
}

/** Waits for the greeting of a server; false: it ended first. */
export async function isServing(child: ChildProcess): Promise<boolean> {
  let output = "";
  const greeting = new Promise<boolean>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("keys issue")) resolve(true);
    });
  });
  return await Promise.race([greeting, once(child, "close").then(() => false)]);
}

/** Writes that were answered must be visible. The one after them must be complete or absent. */
export function judgeWrites(moment: Moment): Fault[] {
  const { facts } = moment.outcome.first;
  const answered = moment.said.filter(
    ({ bytes }) => bytes.toString("latin1", 0, 10) === "HTTP/1.1 2",
  );
  if (facts === null)
    return isAcknowledged(moment) ? [{ kind: "acknowledged lost", detail: "no store" }] : [];
  const lost = WRITES.slice(0, answered.length).filter(({ holds }) => !holds(facts));
  const bulk = BULK.filter((path) => path in facts.items).length;
  return [
    ...lost.map(({ request }) => ({ kind: "acknowledged lost", detail: request }) as const),
    ...(bulk % BULK.length === 0 ? [] : [{ kind: "half a change", detail: "bulk" } as const]),
  ];
}
