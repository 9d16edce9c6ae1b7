import type { Actor } from "../access/actor.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { SubmissionStores } from "../access/submissions/submission-stores.ts";
import type { CountView } from "../access/views.ts";
import type { SharedPreviewContext } from "../content/editing/shared-preview.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { MediaFileStorage, ResizedPictureStore } from "../content/media/media.ts";
import type { SharePictures } from "../content/media/share-pictures.ts";
import type { Log } from "../log.ts";
import type { Handler, HttpRequest } from "./exchange.ts";
import type { ResponseCache } from "./response-cache.ts";

/** Dependencies of the public site. */
export interface HttpDependencies {
  reading: ReadingCopy;
  mediaFiles: Pick<MediaFileStorage, "find">;
  pictureSizes: Pick<ResizedPictureStore, "find" | "findClean">;
  sharePictures: Pick<SharePictures, "picture">;
  /** Scheme and host of every absolute URL, never taken from a request. */
  origin: string;
  version: string;
  now: () => Date;
  log: Log;
  mcp: McpHandler;
  /** Answers requests below `/api/v1`. */
  api: Handler;
  /** Answers requests below `/admin`. */
  admin: Handler;
  visitorForms: VisitorFormDependencies;
  sharedPreviews: SharedPreviewContext;
  /** Counts an answer, and records how many milliseconds passed until the answer started. */
  countResponse(
    door: "page" | "media" | "mcp" | "api" | "admin",
    status: number,
    milliseconds: number,
  ): void;
  /** Renders the metrics. Null: this process is one of several workers and has only a part of the metrics. */
  metrics: (() => Promise<string>) | null;
  replicaStatus: () => ReplicaStatus | null;
  damages: DamageStatus;
  /** Aborted when the server begins to stop. */
  draining: AbortSignal;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: RateLimiter;
  answers: ResponseCache;
  /** Counts a view of an address, such as `html /topics`, at negligible cost. */
  noteView: CountView;
}

/** Reports whether stored content has known damage that is not yet repaired. */
export interface DamageStatus {
  isDamaged(part: "reading copy" | "record"): boolean;
}

/**
 * The MCP service, as an interface, because the modules of the HTTP interface must not import the service.
 */
type McpHandler = (
  request: Pick<HttpRequest, "method" | "header" | "address"> & {
    /** @throws {AppError} `too_large` beyond `bytesMax`. */
    body(bytesMax: number): Promise<Uint8Array>;
  },
) => Promise<{
  status: number;
  headers: Record<string, string>;
  /** A binary string: one character per UTF-8 byte. */
  body: string | null;
}>;

/** Status of a reading copy that follows a remote record. */
export interface ReplicaStatus {
  /** Whether the reading copy has applied every change that it knows of. */
  isCurrent: boolean;
  /** Whether the last poll of the record succeeded. */
  isReachable: boolean;
  /** Sequence number of the last applied change. */
  position: number;
  lagSeconds: number;
}

/** Dependencies of the visitor forms. */
export interface VisitorFormDependencies {
  /** Runs one transaction, under the lock that serialises writers. */
  atomically<T>(change: (stores: SubmissionStores) => Promise<T>): Promise<T>;
  /** Secret that signs the time at which a form was opened. */
  formSecret: string;
  /** Whether the service can send mail. */
  sendsMail: boolean;
}
