import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ended, listening } from "./listening.ts";

/** Names per page of a listing; few, so that listings have several pages. */
const LISTED_MAX = 2;

export const S3_KEY_ID = "AKIATESTTESTTEST";
export const S3_SECRET = "s3cret/of+the/test";
const REGION = "eu-test-1";

/**
 * Breaks a request. `cut`: half of the answer is sent, then the connection ends. `dawdle`: half of it or
 * nothing is sent, and the connection stays open. `pieces`: an answer with status 200 is sent piece by piece.
 */
export type S3Fault =
  | "cut"
  | "dawdle"
  | "reset"
  | { status: number; code: string }
  | { pieces: () => Iterable<string>; everyMilliseconds: number };

export interface S3Asked {
  method: string;
  /** Path and query. */
  target: string;
  headers: IncomingMessage["headers"];
}

export interface S3Store extends AsyncDisposable {
  /** The settings with which the service uses it. */
  environment: Record<string, string>;
  /** By bucket and key, in the form `bucket/key`. */
  objects: Map<string, Buffer>;
  /** Multipart uploads that were started and not completed. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  asked: S3Asked[];
  /** Called before each request; null: it is answered normally. */
  faultOf: (asked: S3Asked) => S3Fault | null;
}

/**
 * An S3 store with the operations that backups use. It recomputes every Signature Version 4 from the received
 * bytes by the published rules.
 */
export async function openS3Store(): Promise<S3Store> {
  const asked: S3Asked[] = [];
  const store = {
    objects: new Map<string, Buffer>(),
    uploads: new Map<string, { key: string; parts: Map<number, Buffer> }>(),
    asked,
    faultOf: (_asked: S3Asked): S3Fault | null => null,
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const one = {
      method: request.method ?? "",
      target: request.url ?? "",
      headers: request.headers,
    };
    asked.push(one);
    const fault = store.faultOf(one);
    if (fault === "reset") request.socket.destroy();
    else if (fault === "dawdle" && one.method !== "GET") return;
    else if (typeof fault === "object" && fault !== null) await disturb(response, fault);
    else if (!isSigned(one, body)) refuse(response, 403, "SignatureDoesNotMatch");
    else answer(store, { asked: one, body, response, fault });
  });
  const port = await listening(server);
  return Object.assign(store, {
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: S3_KEY_ID,
      S3_SECRET_ACCESS_KEY: S3_SECRET,
    },
    [Symbol.asyncDispose]: () => ended(server),
  });
}

interface Request {
  asked: S3Asked;
  body: Buffer;
  response: ServerResponse;
  fault: "cut" | "dawdle" | null;
}

type Kept = Pick<S3Store, "objects" | "uploads">;

function answer(store: Kept, request: Request): void {
  const { asked, response } = request;
  const { pathname, searchParams: query } = new URL(asked.target, "http://s3");
  const key = decodeURIComponent(pathname.slice(1));
  const listing = { bucket: key, query, response };
  const id = query.get("uploadId");
  const upload = id === null ? undefined : store.uploads.get(id);
  if (query.has("list-type")) list(store, listing);
  else if (query.has("uploads") && asked.method === "GET") listUploads(store, listing);
  else if (query.has("uploads")) begin(store, key, response);
  else if (id !== null && upload === undefined) refuse(response, 404, "NoSuchUpload");
  else if (id !== null && upload !== undefined) answerUpload(store, { id, ...upload }, request);
  else if (asked.method === "GET") get(store, key, request);
  else if (asked.method === "DELETE") remove(store.objects, key, response);
  else refuse(response, 405, "MethodNotAllowed");
}

function begin({ uploads }: Kept, key: string, response: ServerResponse): void {
  const id = randomUUID();
  uploads.set(id, { key, parts: new Map() });
  const result = `<UploadId>${id}</UploadId>`;
  xml(response, `<InitiateMultipartUploadResult>${result}</InitiateMultipartUploadResult>`);
}

function answerUpload(
  store: Kept,
  { id, key, parts }: { id: string; key: string; parts: Map<number, Buffer> },
  request: Request,
): void {
  const { asked, body, response } = request;
  if (asked.method === "DELETE") {
    remove(store.uploads, id, response);
  } else if (asked.method === "PUT") {
    const number = new URL(asked.target, "http://s3").searchParams.get("partNumber");
    parts.set(Number(number), body);
    response.setHeader("etag", tagOf(body)).end();
  } else {
    const sorted = [...parts].sort(([a], [b]) => a - b);
    const partElements = sorted.map(
      ([number, part]) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${tagOf(part)}</ETag></Part>`,
    );
    const text = `<CompleteMultipartUpload>${partElements.join("")}</CompleteMultipartUpload>`;
    if (String(body) !== text) refuse(response, 400, "InvalidPart");
    else
      complete(store, { id, key, whole: Buffer.concat(sorted.map(([, part]) => part)) }, request);
  }
}

function complete(
  { objects, uploads }: Kept,
  { id, key, whole }: { id: string; key: string; whole: Buffer },
  { response, fault }: Request,
): void {
  objects.set(key, whole);
  uploads.delete(id);
  if (fault === "cut") response.socket?.destroy();
  else
    xml(response, "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>");
}

function remove(from: Map<string, unknown>, name: string, response: ServerResponse): void {
  from.delete(name);
  response.writeHead(204).end();
}

interface Listing {
  bucket: string;
  query: URLSearchParams;
  response: ServerResponse;
}

function list({ objects }: Kept, { bucket, query, response }: Listing): void {
  const start = `${bucket}/${query.get("prefix") ?? ""}`;
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(start) && key > after).sort();
  const page = keys.slice(0, LISTED_MAX);
  const contents = page.map(
    (key) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key></Contents>`,
  );
  const more =
    keys.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
      : "<IsTruncated>false</IsTruncated>";
  xml(response, `<ListBucketResult>${contents.join("")}${more}</ListBucketResult>`);
}

function listUploads({ uploads }: Kept, { bucket, query, response }: Listing): void {
  const start = `${bucket}/${query.get("prefix") ?? ""}`;
  const open = [...uploads].filter(([, { key }]) => key.startsWith(start));
  const entries = open.map(
    ([id, { key }]) =>
      `<Upload><Key>${key.slice(bucket.length + 1)}</Key><UploadId>${id}</UploadId></Upload>`,
  );
  xml(response, `<ListMultipartUploadsResult>${entries.join("")}</ListMultipartUploadsResult>`);
}

function get({ objects }: Kept, key: string, { asked, response, fault }: Request): void {
  const found = objects.get(key);
  const from = Number(/^bytes=(\d+)-$/.exec(String(asked.headers.range ?? ""))?.[1] ?? 0);
  if (found === undefined) {
    refuse(response, 404, "NoSuchKey");
  } else if (from > 0 && asked.headers["if-match"] !== tagOf(found)) {
    refuse(response, 412, "PreconditionFailed");
  } else {
    const rest = found.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { etag: tagOf(found), "content-length": rest.length });
    const half = rest.subarray(0, Math.ceil(rest.length / 2));
    if (fault === null) response.end(rest);
    else response.write(half, () => fault === "cut" && response.socket?.destroy());
  }
}

function isSigned({ method, target, headers }: S3Asked, body: Buffer): boolean {
  const [, keyId, day, region, signed = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const at = String(headers["x-amz-date"]);
  const hash = sha256(body);
  if (keyId !== S3_KEY_ID || region !== REGION || day !== at.slice(0, 8)) return false;
  if (headers["x-amz-content-sha256"] !== hash) return false;
  const names = signed.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name))) {
    return false;
  }
  const { pathname, searchParams } = new URL(target, "http://s3");
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&");
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join("");
  const canonical = [method, pathname, query, lines, signed, hash].join("\n");
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const key = [day ?? "", REGION, "s3", "aws4_request"].reduce<Buffer>(
    (from, part) => createHmac("sha256", from).update(part).digest(),
    Buffer.from(`AWS4${S3_SECRET}`),
  );
  const expected = createHmac("sha256", key).update(text).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function tagOf(content: Buffer): string {
  return `"${createHash("md5").update(content).digest("hex")}"`;
}

function xml(response: ServerResponse, text: string): void {
  response.setHeader("content-type", "application/xml").end(`<?xml version="1.0"?>\n${text}`);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  xml(response, `<Error><Code>${code}</Code><Message>${S3_SECRET}</Message></Error>`);
}

async function disturb(response: ServerResponse, fault: Extract<S3Fault, object>): Promise<void> {
  if ("status" in fault) {
    refuse(response, fault.status, fault.code);
    return;
  }
  for (const piece of fault.pieces()) {
    if (response.destroyed) return;
    response.write(piece);
    await sleep(fault.everyMilliseconds);
    if (response.writableNeedDrain && !response.destroyed) {
      await Promise.race([once(response, "drain"), once(response, "close")]);
    }
  }
  response.end();
}
