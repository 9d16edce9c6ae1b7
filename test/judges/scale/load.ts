import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { percentile } from "./asking.ts";

export const KINDS = ["page", "search", "call"] as const;

export type Kind = (typeof KINDS)[number];

/** A request that got no correct answer. Times are milliseconds since 1970. */
export interface Lost {
  kind: string;
  path: string;
  sentAt: number;
  endedAt: number;
  what: string;
  /** The instances that nginx tried, in order; empty: no answer came. */
  upstream: string;
}

const seenSchema = z.object({
  /** The times of all answers, by kind. */
  milliseconds: z.record(z.string(), z.array(z.number())),
  lost: z.array(
    z.object({
      kind: z.string(),
      path: z.string(),
      sentAt: z.number(),
      endedAt: z.number(),
      what: z.string(),
      upstream: z.string(),
    }),
  ),
});

export type Seen = z.infer<typeof seenSchema>;

export interface LoadOptions {
  /** Origin of the proxy. */
  origin: string;
  paths: readonly string[];
  words: readonly string[];
  /** Keys with a high rate limit. */
  keys: readonly string[];
}

/** Readers and agents in a separate thread, which send requests without pause. */
export class Load implements AsyncDisposable {
  readonly #thread: Worker;
  #isOver = false;

  constructor(options: LoadOptions) {
    this.#thread = new Worker(new URL("./load-thread.ts", import.meta.url), {
      workerData: options,
    });
  }

  /** What they have seen since the last call. */
  async look(): Promise<Seen> {
    return await this.#ask("look");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#ask("stop");
  }

  async #ask(word: string): Promise<Seen> {
    const answer = once(this.#thread, "message");
    this.#thread.postMessage(word);
    const [seen] = await answer;
    return seenSchema.parse(seen);
  }
}

/** How much was requested, and how slow it was. */
export function describeLoad({ milliseconds, lost }: Seen): string {
  const kinds = KINDS.map((kind) => {
    const times = milliseconds[kind] ?? [];
    return `${times.length} ${kind === "search" ? "searches" : `${kind}s`} (p99 ${percentile(times, 99).toFixed(0)} ms)`;
  });
  return `${kinds.join(", ")}, ${lost.length} lost${lost.slice(0, 3).map(describeLost).join("")}`;
}

function describeLost({ kind, path, what, upstream, sentAt, endedAt }: Lost): string {
  return `; ${kind} ${path} after ${endedAt - sentAt} ms from ${upstream || "nobody"}: ${what}`;
}
