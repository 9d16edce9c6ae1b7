import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import type { S3Access } from "../../../config/backup-settings.ts";
import { AppError, type ScreenLanguage, type Wording } from "../../../errors.ts";
import { backoffMilliseconds } from "../../../work/backoff.ts";
import {
  discardBody,
  readErrorResponseText,
  readResponseText,
  type S3Timeouts,
  timeoutError,
} from "./s3-responses.ts";
import { childText, parseS3Xml } from "./s3-xml.ts";

/** The `responseTimeout` is long enough to send a part of 8 MiB at 70 KB per second. */
const DEFAULT_TIMEOUTS: S3Timeouts = {
  delays: [500, 2000, 8000, 20_000],
  responseTimeout: 120_000,
  idleTimeout: 60_000,
};
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Advice to the operator, keyed by S3 error code. */
const ADVICE_BY_CODE: Readonly<Record<string, Wording>> = {
  AccessDenied: {
    en: "allow the key to list, read, write and delete there",
    de: "Erlauben Sie dem Schlüssel, dort aufzulisten, zu lesen, zu schreiben und zu löschen",
  },
  AuthorizationHeaderMalformed: correcting("S3_REGION"),
  InvalidAccessKeyId: correcting("S3_ACCESS_KEY_ID"),
  NoSuchBucket: {
    en: "make the bucket, or correct its name",
    de: "Legen Sie den Bucket an oder berichtigen Sie seinen Namen",
  },
  PermanentRedirect: {
    en: "correct S3_ENDPOINT and S3_REGION",
    de: "Berichtigen Sie S3_ENDPOINT und S3_REGION",
  },
  RequestTimeTooSkewed: {
    en: "set the clock of this machine",
    de: "Stellen Sie die Uhr dieses Rechners",
  },
  SignatureDoesNotMatch: correcting("S3_SECRET_ACCESS_KEY"),
};

function correcting(setting: string): Wording {
  return { en: `correct ${setting}`, de: `Berichtigen Sie ${setting}` };
}

export interface S3Request {
  method: "GET" | "PUT" | "POST" | "DELETE";
  /** Key of an object; empty for requests about the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
}

/** An error response of the store, with its code, such as `NoSuchKey`. */
export class S3Error extends AppError {
  readonly s3Code: string;

  constructor(bucket: string, status: number, s3Code: string) {
    const advice = ADVICE_BY_CODE[s3Code];
    const statusText = s3Code === "" ? `${status}` : `${status} ${s3Code}`;
    const after = (language: ScreenLanguage) =>
      advice === undefined ? "" : `: ${advice[language]}`;
    super("unavailable", {
      en: `The S3 store answered ${statusText} for ${bucket}${after("en")}`,
      de: `Der S3-Speicher antwortete mit ${statusText} für ${bucket}${after("de")}`,
    });
    this.s3Code = s3Code;
  }
}

/** Sends signed requests for one bucket. */
export class S3BucketClient {
  readonly #access: S3Access;
  readonly #bucket: string;
  readonly #client: AwsClient;
  readonly timeouts: S3Timeouts;

  constructor(access: S3Access, bucket: string, timeouts: S3Timeouts = DEFAULT_TIMEOUTS) {
    const { region, keyId: accessKeyId, secret: secretAccessKey } = access;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
    this.#access = access;
    this.#bucket = bucket;
    this.timeouts = timeouts;
  }

  /**
   * Sends a request, and retries transient failures with back-off.
   *
   * @returns a response with a status below 300.
   * @throws {S3Error} for an error response.
   * @throws {AppError} `unavailable` if no response arrives.
   */
  async send(request: S3Request): Promise<Response> {
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.#attempt(request);
      if (outcome instanceof Response) return outcome;
      const delay = outcome.isTransient
        ? backoffMilliseconds(this.timeouts.delays, attempts, Math.random())
        : null;
      if (delay === null) throw outcome.error;
      await sleep(delay);
    }
  }

  /** Sends a request and returns the text of the response. Retries if the response breaks off. */
  async text(request: S3Request): Promise<string> {
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.send(request);
      try {
        return await readResponseText(answer, this.timeouts);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const delay = backoffMilliseconds(this.timeouts.delays, attempts, Math.random());
        if (delay === null) throw this.noAnswer(error);
        await sleep(delay);
      }
    }
  }

  /** Waits before the next attempt. @throws `error`, as an AppError, after too many failures. */
  async pause(failures: number, error: unknown): Promise<void> {
    const delay = backoffMilliseconds(this.timeouts.delays, failures, Math.random());
    if (delay === null) throw error instanceof AppError ? error : this.noAnswer(error);
    await sleep(delay);
  }

  /**
   * Removes an object or an upload. Also succeeds if it no longer exists: an earlier attempt may
   * have removed it, and only the response was lost.
   */
  async remove(request: Omit<S3Request, "method">): Promise<void> {
    try {
      await discardBody(await this.send({ ...request, method: "DELETE" }));
    } catch (error) {
      const isGone =
        error instanceof S3Error && ["NoSuchUpload", "NoSuchKey"].includes(error.s3Code);
      if (!isGone) throw error;
    }
  }

  noAnswer(cause: unknown): AppError {
    const { host } = new URL(this.#access.endpoint);
    const { en, de } = reasonOf(cause);
    const wording = {
      en: `Cannot reach the S3 store ${host}: ${en}`,
      de: `Der S3-Speicher ${host} ist nicht zu erreichen: ${de}`,
    };
    return new AppError("unavailable", wording, { cause });
  }

  async #attempt(
    request: S3Request,
  ): Promise<Response | { error: AppError; isTransient: boolean }> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(timeoutError()), this.timeouts.responseTimeout);
    try {
      const signed = await this.#sign(request);
      const answer = await fetch(signed, { redirect: "manual", signal: controller.signal });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const code = childText(
        parseS3Xml(await readErrorResponseText(answer, this.timeouts.idleTimeout)),
        "Code",
      );
      const s3Code = /^[A-Za-z]{1,60}$/.test(code) ? code : "";
      const error = new S3Error(this.#bucket, answer.status, s3Code);
      return { error, isTransient: RETRIED_STATUSES.has(answer.status) };
    } catch (error) {
      return { error: this.noAnswer(error), isTransient: true };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Signs the request with the hash of its body, so that the store can check the body it receives. */
  async #sign({ method, key, query = {}, headers, body }: S3Request): Promise<Request> {
    const url = new URL(this.#access.endpoint);
    url.pathname = key === "" ? `/${this.#bucket}` : `/${this.#bucket}/${key}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    return await this.#client.sign(url, {
      method,
      headers: { ...headers, "x-amz-content-sha256": hash },
      ...(body !== undefined && { body }),
    });
  }
}

/** Uses only the code of an error, because the messages of libraries may quote the request. */
function reasonOf(error: unknown): Wording {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (error instanceof Error && error.name === "TimeoutError") return NO_ANSWER_IN_TIME;
  return (
    REASONS_BY_CODE[code] ?? {
      en: "the connection failed",
      de: "Die Verbindung kam nicht zustande",
    }
  );
}

const NO_ANSWER_IN_TIME: Wording = { en: "no answer in time", de: "Es kam keine Antwort" };
const CONNECTION_CUT: Wording = { en: "the connection was cut", de: "Die Verbindung brach ab" };
const REASONS_BY_CODE: Readonly<Record<string, Wording>> = {
  ENOTFOUND: { en: "there is no such host", de: "Diesen Rechner gibt es nicht" },
  EAI_AGAIN: {
    en: "the host's address could not be looked up",
    de: "Die Adresse des Rechners ließ sich nicht nachschlagen",
  },
  ECONNREFUSED: { en: "nothing listens there", de: "Dort antwortet niemand" },
  ECONNRESET: CONNECTION_CUT,
  UND_ERR_SOCKET: CONNECTION_CUT,
  UND_ERR_HEADERS_TIMEOUT: NO_ANSWER_IN_TIME,
  UND_ERR_BODY_TIMEOUT: NO_ANSWER_IN_TIME,
};
