import type { S3Access } from "../../../config/backup-settings.ts";
import type { S3Location } from "../../../config/s3-address.ts";
import { AppError, englishOnly } from "../../../errors.ts";
import { withTimeout } from "../../../work/with-timeout.ts";
import { type BackupPlace, isBackupName } from "./backup-place.ts";
import { late, type S3Patience, S3Requests } from "./s3-requests.ts";
import { uploadParts } from "./s3-upload.ts";
import { childrenNamed, childText, readXml } from "./s3-xml.ts";

/** Backups as objects of a bucket. */
export function s3Place(
  access: S3Access,
  { bucket, prefix }: S3Location,
  patience?: S3Patience,
): BackupPlace {
  const s3 = new S3Requests(access, bucket, patience);
  return {
    named: `s3://${bucket}/${prefix}`.replace(/\/$/, ""),
    names: () => listNames(s3, prefix),
    write: (name, content, bytesMax) => uploadParts(s3, prefix + name, content, bytesMax),
    read: (name) => readObject(s3, prefix + name),
    remove: (name) => s3.remove({ key: prefix + name }),
    clearAbandoned: () => abortUploads(s3, prefix),
  };
}

async function listNames(s3: S3Requests, prefix: string): Promise<string[]> {
  const names: string[] = [];
  for (let token = ""; ; ) {
    const query = {
      "list-type": "2",
      prefix,
      ...(token !== "" && { "continuation-token": token }),
    };
    const list = readXml(await s3.text({ method: "GET", key: "", query }));
    for (const entry of childrenNamed(list, "Contents")) {
      const key = childText(entry, "Key");
      if (key.startsWith(prefix)) names.push(key.slice(prefix.length));
    }
    const next = childText(list, "NextContinuationToken");
    if (childText(list, "IsTruncated") !== "true" || next === "") return names;
    if (next === token) throw endless();
    token = next;
  }
}

/** Ends uploads of backups that were never completed: their parts would be stored, and paid for. */
async function abortUploads(s3: S3Requests, prefix: string): Promise<void> {
  for (let marker: Record<string, string> = {}; ; ) {
    const query = { uploads: "", prefix, ...marker };
    const list = readXml(await s3.text({ method: "GET", key: "", query }));
    for (const upload of childrenNamed(list, "Upload")) {
      const key = childText(upload, "Key");
      const isOurs = key.startsWith(prefix) && isBackupName(key.slice(prefix.length));
      const uploadId = childText(upload, "UploadId");
      if (isOurs) await s3.remove({ key, query: { uploadId } });
    }
    if (childText(list, "IsTruncated") !== "true") return;
    const next = {
      "key-marker": childText(list, "NextKeyMarker"),
      "upload-id-marker": childText(list, "NextUploadIdMarker"),
    };
    if (Object.values(next).join("\n") === Object.values(marker).join("\n")) throw endless();
    marker = next;
  }
}

function endless(): AppError {
  return new AppError("unavailable", englishOnly("The S3 store gives a list without an end"));
}

/** Goes on where the connection broke off. */
async function* readObject(s3: S3Requests, key: string): AsyncGenerator<Uint8Array> {
  let read = 0;
  let size: number | null = null;
  let etag = "";
  for (let failures = 0; ; ) {
    const headers = read === 0 ? {} : { range: `bytes=${read}-`, "if-match": etag };
    const answer = await s3.send({ method: "GET", key, headers });
    if (read > 0 && answer.status !== 206) {
      throw new AppError("unavailable", englishOnly("The S3 store gives no parts of an object"));
    }
    etag = answer.headers.get("etag") ?? "";
    size ??= Number(answer.headers.get("content-length") ?? Number.NaN);
    try {
      for await (const piece of bodyOf(answer, s3.patience.silence)) {
        read += piece.length;
        failures = 0;
        yield piece;
      }
      if (read === size || Number.isNaN(size)) return;
      throw new Error("The body ended early");
    } catch (error) {
      failures += 1;
      await s3.pause(failures, error);
    }
  }
}

async function* bodyOf(answer: Response, milliseconds: number): AsyncGenerator<Uint8Array> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const next = await withTimeout(reader.read(), {
        milliseconds,
        late,
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
