import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { Actor } from "../access/actor.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { SubmissionStores } from "../access/submission-stores.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { MediaFiles } from "../content/media.ts";
import type { Log } from "../log.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { ApiDoor } from "./api/door.ts";

/** What the public site stands on. */
export interface HttpParts {
  reading: ReadingCopy;
  mediaFiles: Pick<MediaFiles, "find">;
  /** Scheme and host of every absolute URL, never taken from a request. */
  origin: string;
  version: string;
  now: () => Date;
  log: Log;
  mcp: (request: PlainRequest) => Promise<PlainReply>;
  /** Answers what is asked below `/api/v1`. */
  api: ApiDoor;
  reception: Reception;
  /** Counts an answer, in milliseconds until it began; costs next to nothing. */
  answered(door: "page" | "media" | "api", status: number, milliseconds: number): void;
  /** For whoever holds a key to them; null: another process tells them. */
  metrics: (() => Promise<string>) | null;
  standing: () => Standing | null;
  damages: Damages;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: RateLimiter;
  answers: AnswerCache;
  /** Believe the address a proxy states. */
  trustProxy: boolean;
}

/** The damage to stored content that is known and not mended. */
export interface Damages {
  isDamaged(part: "reading copy" | "record"): boolean;
}

/** How a reading copy that follows a record elsewhere stands. */
export interface Standing {
  /** Has it every change it knows of? */
  isCurrent: boolean;
  /** Did the last look at the record succeed? */
  isReachable: boolean;
  /** Counts the changes, from the first. */
  position: number;
  lagSeconds: number;
}

/** What is behind the forms for visitors. */
export interface Reception {
  /** One transaction; it holds the lock of all writing. */
  atomically<T>(change: (stores: SubmissionStores) => Promise<T>): Promise<T>;
  /** Signs the time at which a form was opened. */
  formSecret: string;
  /** Can the service send mail? */
  sendsMail: boolean;
}

/** A request as a handler that knows no web framework wants it. */
export interface PlainRequest {
  method: string;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** The caller's IP address; empty when there is no connection. */
  address: string;
  /** @throws {AppError} `too_large` beyond that many bytes. */
  body(bytesMax: number): Promise<Uint8Array>;
}

export interface PlainReply {
  status: number;
  headers: Record<string, string>;
  /** UTF-8 with a character for each byte. */
  body: string | null;
}

/** What a request carries through the app; there is no connection when a test asks directly. */
export interface HttpEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string };
}

export type HttpContext = Context<HttpEnv>;
export type HttpApp = Hono<HttpEnv>;
