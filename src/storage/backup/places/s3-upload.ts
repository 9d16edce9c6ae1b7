import { AppError, type Wording } from "../../../errors.ts";
import { type S3BucketClient, S3Error } from "./s3-requests.ts";
import { discardBody } from "./s3-responses.ts";
import { childText, parseS3Xml } from "./s3-xml.ts";

/** S3 allows at most 10,000 parts. Each part except the last must have at least 5 MiB. */
const PART_BYTES_MIN = 8 * 1024 * 1024;
const PARTS_MAX = 9000;

/** Uploads an object in parts, with one part at a time in memory. Aborts the upload if it fails. */
export async function uploadInParts(
  s3: S3BucketClient,
  key: string,
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<void> {
  const created = parseS3Xml(await s3.text({ method: "POST", key, query: { uploads: "" } }));
  const uploadId = childText(created, "UploadId");
  if (uploadId === "")
    throw malformedResponse({ en: "began no upload", de: "hat das Hochladen nicht begonnen" });
  try {
    const tags: string[] = [];
    const partBytes = Math.max(PART_BYTES_MIN, Math.ceil(bytesMax / PARTS_MAX));
    for await (const body of splitIntoParts(content, partBytes)) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      const answer = await s3.send({ method: "PUT", key, query, body });
      await discardBody(answer);
      const tag = answer.headers.get("etag");
      if (tag === null)
        throw malformedResponse({
          en: "gave no ETag for a part",
          de: "hat für einen Teil kein ETag genannt",
        });
      tags.push(tag);
    }
    await complete(s3, { key, uploadId, tags });
  } catch (error) {
    // If the abort fails, the next backup aborts the upload.
    await s3.remove({ key, query: { uploadId } }).catch(() => {});
    throw error;
  }
}

/** Reuses one buffer, so each part must be sent before the next part is requested. */
async function* splitIntoParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(partBytes);
  let filled = 0;
  let isFirst = true;
  for await (const piece of content) {
    for (let from = 0; from < piece.length; ) {
      const portion = piece.subarray(from, from + partBytes - filled);
      buffer.set(portion, filled);
      filled += portion.length;
      from += portion.length;
      if (filled < partBytes) continue;
      yield buffer;
      filled = 0;
      isFirst = false;
    }
  }
  if (filled > 0 || isFirst) yield buffer.subarray(0, filled);
}

/** Reads the body even if the status is 200, because S3 may report an error in it. */
async function complete(
  s3: S3BucketClient,
  { key, uploadId, tags }: { key: string; uploadId: string; tags: readonly string[] },
): Promise<void> {
  const parts = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
  );
  const text = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const body = new Uint8Array(Buffer.from(text));
  try {
    const answer = parseS3Xml(await s3.text({ method: "POST", key, query: { uploadId }, body }));
    if (answer?.name !== "CompleteMultipartUploadResult")
      throw malformedResponse({
        en: "completed no upload",
        de: "hat das Hochladen nicht abgeschlossen",
      });
  } catch (error) {
    // An earlier attempt may have completed the upload although its response was lost. The check of
    // the new backup shows whether the object is complete.
    if (error instanceof S3Error && error.s3Code === "NoSuchUpload") return;
    throw error;
  }
}

function escaped(tag: string): string {
  return tag.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function malformedResponse({ en, de }: Wording): AppError {
  return new AppError("unavailable", { en: `The S3 store ${en}`, de: `Der S3-Speicher ${de}` });
}
