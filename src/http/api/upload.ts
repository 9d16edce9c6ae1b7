import { isUtf8 } from "node:buffer";
import {
  type MediaFileInput,
  mediaFileInputFromName,
  parseMediaFileInput,
} from "../../content/media/media-file-input.ts";
import { MEDIA_FILE_BYTES_MAX } from "../../content/media/media-kinds.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { readBodyInPieces } from "../body-reading.ts";
import type { HttpRequest } from "../exchange.ts";

/** Size limit of a form, which has a file and other fields. */
const FORM_BYTES_MAX = MEDIA_FILE_BYTES_MAX + 64 * 1024;
/**
 * Size limit of all concurrent forms together. In memory, a form takes about three times its size.
 */
const ALL_FORMS_BYTES_MAX = 64 * 1024 * 1024;
/** Media types that clients send if they do not know the type. */
const UNINFORMATIVE_TYPES: ReadonlySet<string> = new Set([
  "",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
]);

/** An uploaded file with the name and type that the client gives. */
export interface Upload {
  bytes: AsyncIterable<Uint8Array>;
  details: MediaFileInput;
  /** The media type from the client; null: none was given. */
  clientType: string | null;
}

let formBytes = 0;

/**
 * Reads an upload, which is a raw body or a form with one file, and passes it to `handle`.
 *
 * @throws {AppError} `too_large`; `invalid` for a malformed form, or a form with no file or several
 * files; `unavailable` when too many forms arrive concurrently.
 */
export async function withUpload<T>(
  request: HttpRequest,
  handle: (upload: Upload) => Promise<T>,
): Promise<T> {
  const type = mediaTypeOf(request.header("content-type") ?? "");
  if (type === "multipart/form-data") return await withForm(request, handle);
  if (Number(request.header("content-length") ?? 0) > MEDIA_FILE_BYTES_MAX) throw tooLarge();
  const name = fileNameFromDisposition(request.header("content-disposition") ?? "");
  const details = mediaFileInputFromName(name);
  return await handle({
    bytes: readBodyInPieces(request.body),
    details,
    clientType: informativeType(type),
  });
}

async function withForm<T>(
  request: HttpRequest,
  handle: (upload: Upload) => Promise<T>,
): Promise<T> {
  return await withFormData(request, async (form) => await handle(await formUpload(form)));
}

/**
 * Reads a form with files, and passes it to `handle`. The size limit of one file applies to all files
 * together.
 *
 * @throws {AppError} `too_large`; `invalid`; `unavailable` when too many forms arrive concurrently.
 */
export async function withFormData<T>(
  request: HttpRequest,
  handle: (form: FormData) => Promise<T>,
): Promise<T> {
  const bytes = Number(request.header("content-length")) || FORM_BYTES_MAX;
  if (bytes > FORM_BYTES_MAX) throw tooLarge();
  if (formBytes + bytes > ALL_FORMS_BYTES_MAX) {
    throw new AppError(
      "unavailable",
      {
        en: "Too many forms with files are arriving; repeat this in a few seconds, or send the file as the raw body",
        de: "Gerade kommen zu viele Dateien auf einmal an: Versuchen Sie es in ein paar Sekunden noch einmal",
      },
      { retryAfterSeconds: 5 },
    );
  }
  formBytes += bytes;
  try {
    return await handle(await readForm(request));
  } finally {
    formBytes -= bytes;
  }
}

async function readForm(request: HttpRequest): Promise<FormData> {
  let size = 0;
  const limited = async function* () {
    for await (const piece of readBodyInPieces(request.body)) {
      size += piece.length;
      if (size > FORM_BYTES_MAX) return;
      yield piece;
    }
  };
  const headers = { "Content-Type": request.header("content-type") ?? "" };
  try {
    return await new Response(ReadableStream.from(limited()), { headers }).formData();
  } catch (cause) {
    if (size > FORM_BYTES_MAX) throw tooLarge();
    const message = {
      en: "The form cannot be read: it ends early or is not well-formed",
      de: "Die Datei kam nicht vollständig an: Senden Sie sie noch einmal",
    };
    throw new AppError("invalid", message, { cause });
  }
}

async function formUpload(form: FormData): Promise<Upload> {
  const files: File[] = [];
  const fields: Record<string, string> = {};
  for (const [field, value] of form) {
    if (typeof value === "string") fields[field] = value;
    else files.push(value);
  }
  const [file] = files;
  if (file === undefined || files.length > 1) {
    throw new AppError(
      "invalid",
      englishOnlyWording(`The form has ${files.length} files; send one at a time`),
    );
  }
  const name = baseName(file.name);
  return {
    bytes: file.stream(),
    details: { ...mediaFileInputFromName(name), ...parseMediaFileInput(fields) },
    clientType: informativeType(mediaTypeOf(file.type)),
  };
}

/** The file name in `Content-Disposition` (RFC 6266), which some clients send as plain UTF-8. */
export function fileNameFromDisposition(disposition: string): string {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']{0,50}'([^;]{1,2000})/i.exec(disposition)?.[1];
  const decoded = encoded === undefined ? "" : decodedName(encoded.trim());
  if (decoded !== "") return baseName(decoded);
  const plain = /;\s*filename\s*=\s*(?:"([^"]{0,1000})"|([^;\s]{1,1000}))/i.exec(disposition);
  const bytes = Buffer.from(plain?.[1] ?? plain?.[2] ?? "", "latin1");
  return baseName(isUtf8(bytes) ? bytes.toString() : bytes.toString("latin1"));
}

function decodedName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return "";
  }
}

/** Removes the folders that some clients send with a file name. */
function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? "";
}

function mediaTypeOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

function informativeType(type: string): string | null {
  return UNINFORMATIVE_TYPES.has(type) ? null : type;
}

function tooLarge(): AppError {
  const limit = MEDIA_FILE_BYTES_MAX / 1024 / 1024;
  return new AppError("too_large", {
    en: `The file is larger than ${limit} MiB`,
    de: `Die Datei ist größer als ${limit} MB`,
  });
}
