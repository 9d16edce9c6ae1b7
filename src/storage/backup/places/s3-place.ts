import type { S3Access } from "../../../config/backup-settings.ts";
import type { S3Location } from "../../../config/s3-address.ts";
import { AppError } from "../../../errors.ts";
import { type BackupPlace, isBackupName } from "./backup-place.ts";
import { S3BucketClient, S3Error } from "./s3-requests.ts";
import { discardBody, readResponseChunks, type S3Timeouts, timeoutError } from "./s3-responses.ts";
import { uploadInParts } from "./s3-upload.ts";
import { childrenNamed, childText, parseS3Xml, type XmlElement } from "./s3-xml.ts";

const PAGES_MAX = 1000;
const NAMES_MAX = 100_000;
/** The timeout for a whole list is this multiple of the timeout for one response. */
const LIST_TIMEOUT_FACTOR = 10;
/** Limit on the abandoned uploads that one call of `abortUploads` aborts. */
const ABORTED_MAX = 1000;
const PART_BYTES = 8 * 1024 * 1024;

/** Stores backups as objects in a bucket. */
export function createS3BackupPlace(
  access: S3Access,
  { bucket, prefix }: S3Location,
  timeouts?: S3Timeouts,
): BackupPlace {
  const s3 = new S3BucketClient(access, bucket, timeouts);
  return {
    address: `s3://${bucket}/${prefix}`.replace(/\/$/, ""),
    names: () => listNames(s3, prefix),
    write: (name, content, bytesMax) => uploadInParts(s3, prefix + name, content, bytesMax),
    read: (name) => readObject(s3, prefix + name),
    remove: (name) => s3.remove({ key: prefix + name }),
    clearAbandoned: () => abortUploads(s3, prefix).catch(ignoreUnknownList),
  };
}

async function listNames(s3: S3BucketClient, prefix: string): Promise<string[]> {
  const names: string[] = [];
  const query = { "list-type": "2", delimiter: "/", prefix };
  for await (const list of pagesOf(s3, query, { "continuation-token": "NextContinuationToken" })) {
    for (const entry of childrenNamed(list, "Contents")) {
      const key = childText(entry, "Key");
      if (key.startsWith(prefix)) names.push(key.slice(prefix.length));
    }
    if (names.length > NAMES_MAX) throw tooManyObjects();
  }
  return names;
}

/**
 * Aborts unfinished uploads of backups, because S3 stores keep the parts of unfinished uploads and
 * charge for them.
 */
async function abortUploads(s3: S3BucketClient, prefix: string): Promise<void> {
  const next = { "key-marker": "NextKeyMarker", "upload-id-marker": "NextUploadIdMarker" };
  let aborted = 0;
  for await (const list of pagesOf(s3, { uploads: "", prefix }, next)) {
    for (const upload of childrenNamed(list, "Upload")) {
      const key = childText(upload, "Key");
      if (!key.startsWith(prefix) || !isBackupName(key.slice(prefix.length))) continue;
      await s3.remove({ key, query: { uploadId: childText(upload, "UploadId") } });
      aborted += 1;
      // The next backup aborts the remaining uploads.
      if (aborted === ABORTED_MAX) return;
    }
  }
}

/**
 * Ignores the error of a store that cannot list uploads. Such a store has to abort abandoned
 * uploads itself.
 */
function ignoreUnknownList(error: unknown): void {
  if (error instanceof S3Error && error.s3Code === "NotImplemented") return;
  throw error;
}

/**
 * Yields the pages of a list in the bucket.
 *
 * @param next maps each query parameter of the next request to the name of an XML element. That element
 * of the current page contains the parameter's value.
 */
async function* pagesOf(
  s3: S3BucketClient,
  query: Readonly<Record<string, string>>,
  next: Readonly<Record<string, string>>,
): AsyncGenerator<XmlElement | null> {
  let markers: [name: string, value: string][] = [];
  const startedAt = performance.now();
  for (let pages = 1; ; pages += 1) {
    const pageQuery = { ...query, ...Object.fromEntries(markers) };
    const list = parseS3Xml(await s3.text({ method: "GET", key: "", query: pageQuery }));
    yield list;
    if (childText(list, "IsTruncated") !== "true") return;
    const nextMarkers = Object.entries(next).map(([name, element]): [string, string] => [
      name,
      childText(list, element),
    ]);
    if (nextMarkers.every(([, value]) => value === "")) return;
    if (performance.now() - startedAt > LIST_TIMEOUT_FACTOR * s3.timeouts.responseTimeout)
      throw s3.noAnswer(timeoutError());
    if (pages === PAGES_MAX || String(nextMarkers) === String(markers)) throw endlessList();
    markers = nextMarkers;
  }
}

function tooManyObjects(): AppError {
  return new AppError("unavailable", {
    en: `More than ${NAMES_MAX} objects are in one place of the S3 store: give the backups a prefix of their own, as s3://BUCKET/backups`,
    de: `An einem Ort des S3-Speichers sind mehr als ${NAMES_MAX} Objekte: Geben Sie den Sicherungen ein eigenes Präfix, zum Beispiel s3://BUCKET/backups`,
  });
}

function endlessList(): AppError {
  return new AppError("unavailable", {
    en: "The S3 store gives a list without an end",
    de: "Der S3-Speicher gibt eine Liste ohne Ende",
  });
}

/** Reads an object. If the connection breaks off, reconnects and continues at the same byte. */
async function* readObject(s3: S3BucketClient, key: string): AsyncGenerator<Uint8Array> {
  const pace = new Pace(s3);
  let size: number | null = null;
  let etag = "";
  for (let failures = 0; ; ) {
    const answer = await openAt(s3, key, { read: pace.bytes, etag });
    etag = answer.headers.get("etag") ?? "";
    size ??= Number(answer.headers.get("content-length") ?? Number.NaN);
    try {
      for await (const piece of readResponseChunks(answer, s3.timeouts.idleTimeout)) {
        pace.count(piece);
        failures = 0;
        yield piece;
        pace.resume();
      }
      if (pace.bytes === size || Number.isNaN(size)) return;
      throw new Error("The body ended early");
    } catch (error) {
      if (error instanceof AppError) throw error;
      failures += 1;
      await s3.pause(failures, error);
    }
  }
}

async function openAt(
  s3: S3BucketClient,
  key: string,
  { read, etag }: { read: number; etag: string },
): Promise<Response> {
  const headers = read === 0 ? {} : { range: `bytes=${read}-`, "if-match": etag };
  const answer = await s3.send({ method: "GET", key, headers });
  if (read === 0 || answer.status === 206) return answer;
  await discardBody(answer);
  throw new AppError("unavailable", {
    en: "The S3 store gives no parts of an object",
    de: "Der S3-Speicher gibt keine Teile eines Objekts heraus",
  });
}

/**
 * Enforces a minimum throughput. Otherwise a store that sends only a few bytes at a time could
 * delay a backup forever.
 */
class Pace {
  readonly #s3: S3BucketClient;
  #waited = 0;
  #since = performance.now();
  bytes = 0;

  constructor(s3: S3BucketClient) {
    this.#s3 = s3;
  }

  /**
   * @throws {AppError} `unavailable` when the store has been too slow for the number of bytes it has sent.
   */
  count(piece: Uint8Array): void {
    this.bytes += piece.length;
    this.#waited += performance.now() - this.#since;
    const allowed = this.#s3.timeouts.responseTimeout * (1 + this.bytes / PART_BYTES);
    if (this.#waited > allowed) throw this.#s3.noAnswer(timeoutError());
  }

  /** Restarts timing, so that the time in which the caller processes a piece does not count. */
  resume(): void {
    this.#since = performance.now();
  }
}
