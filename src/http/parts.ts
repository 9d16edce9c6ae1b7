import type { Actor } from "../access/actor.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { SubmissionStores } from "../access/submissions/submission-stores.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { MediaFiles } from "../content/media/media.ts";
import type { Log } from "../log.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { Handler, HttpRequest } from "./exchange.ts";

/** What the public site stands on. */
export interface HttpParts {
  reading: ReadingCopy;
  mediaFiles: Pick<MediaFiles, "find">;
  /** Scheme and host of every absolute URL, never taken from a request. */
  origin: string;
  version: string;
  now: () => Date;
  log: Log;
  mcp: McpHandler;
  /** Answers what is asked below `/api/v1`. */
  api: Handler;
  reception: Reception;
  /** Counts an answer, in milliseconds until it began; costs next to nothing. */
  answered(door: "page" | "media" | "mcp" | "api", status: number, milliseconds: number): void;
  /** For whoever holds a key to them; null: another process tells them. */
  metrics: (() => Promise<string>) | null;
  standing: () => Standing | null;
  damages: Damages;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: RateLimiter;
  answers: AnswerCache;
}

/** The damage to stored content that is known and not mended. */
export interface Damages {
  isDamaged(part: "reading copy" | "record"): boolean;
}

/** The MCP service, which this room must not import. */
type McpHandler = (
  request: Pick<HttpRequest, "method" | "header" | "address"> & {
    /** @throws {AppError} `too_large` beyond that many bytes. */
    body(bytesMax: number): Promise<Uint8Array>;
  },
) => Promise<{
  status: number;
  headers: Record<string, string>;
  /** UTF-8 with a character for each byte. */
  body: string | null;
}>;

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
