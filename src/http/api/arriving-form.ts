import { AppError } from "../../errors.ts";
import type { UploadedFile } from "../../transfer/pack-as-folder.ts";
import type { HttpRequest } from "../exchange.ts";
import type { SentFile } from "../site/sent-form.ts";
import { streamRequestBody } from "./arriving-bytes.ts";
import { type FormPart, parseFormParts } from "./form-parts.ts";

/** Size limit of all fields before the files, including the fields' names. */
const FIELDS_BYTES_MAX = 64 * 1024;
/** Bytes counted for a field in addition to its name and value. */
const FIELD_BYTES = 64;
const NOTHING_KEPT = {
  en: "nothing was kept; send the file again",
  de: "es ist nichts davon übrig: Senden Sie die Datei noch einmal",
};

/** A form of any size, whose files are read one after another while the form arrives. */
export interface StreamedForm {
  /** The fields before the files. Later fields are ignored. */
  fields: readonly (readonly [name: string, value: string])[];
  /** The files; each must be read before the next one is requested. */
  files: AsyncGenerator<SentFile>;
}

export function isMultipartForm(request: Pick<HttpRequest, "method" | "header">): boolean {
  const type = request.header("content-type") ?? "";
  return request.method === "POST" && type.startsWith("multipart/form-data");
}

/**
 * Reads a form up to its first file.
 *
 * @throws {AppError} `invalid` for a malformed form; `too_large` for fields that are too long.
 * Reading the files also throws if they arrive too slowly or the server stops.
 */
export async function readStreamedForm(
  request: HttpRequest,
  draining: AbortSignal,
): Promise<StreamedForm> {
  request.liftTimeLimit();
  const arriving = streamRequestBody(request, { advice: NOTHING_KEPT, draining });
  const parts = parseFormParts(arriving, request.header("content-type") ?? "");
  const bytesAtLeast = Math.max(0, (request.body?.declaredBytes ?? 0) - FIELDS_BYTES_MAX);
  const fields: [string, string][] = [];
  let bytesLeft = FIELDS_BYTES_MAX;
  let part = await parts.next();
  while (part.done !== true && part.value.fileName === null) {
    bytesLeft -= Buffer.byteLength(part.value.name) + FIELD_BYTES;
    const value = await textOf(part.value, bytesLeft);
    bytesLeft -= value.length;
    fields.push([part.value.name, value.toString()]);
    part = await parts.next();
  }
  const first = part.done === true ? null : part.value;
  return { fields, files: arrivingFiles(first, { parts, arriving, bytesAtLeast }) };
}

/** @param bytesAtLeast a lower bound of the total size of all files. */
async function* arrivingFiles(
  first: FormPart | null,
  {
    parts,
    arriving,
    bytesAtLeast,
  }: {
    parts: AsyncGenerator<FormPart>;
    arriving: AsyncGenerator<Uint8Array>;
    bytesAtLeast: number;
  },
): AsyncGenerator<SentFile> {
  try {
    if (first !== null) yield await arrivingFile(first, bytesAtLeast);
    for await (const part of parts) {
      if (part.fileName !== null) yield await arrivingFile(part, 0);
    }
  } finally {
    await arriving.return(undefined);
  }
}

async function arrivingFile(
  { fileName, bytes }: FormPart,
  bytesAtLeast: number,
): Promise<SentFile> {
  const first = await bytes.next();
  return {
    name: fileName ?? "",
    isEmpty: first.done === true,
    bytesAtLeast,
    async *stream() {
      if (first.done === true) return;
      yield first.value;
      yield* bytes;
    },
  };
}

/** The first uploaded file, and the other files of the form, which must be read after the first. */
export interface UploadedFiles {
  first: SentFile;
  others: AsyncGenerator<UploadedFile>;
}

/**
 * The files that were chosen in a form, without the empty file that browsers send when none was
 * chosen.
 *
 * @throws {AppError} `invalid` if no file was chosen.
 */
export async function requireUploadedFiles(
  files: AsyncGenerator<SentFile>,
): Promise<UploadedFiles> {
  const chosen = nonEmpty(files);
  const first = await chosen.next();
  if (first.done === true) throw noFileError();
  return { first: first.value, others: uploaded(chosen) };
}

async function* nonEmpty(files: AsyncGenerator<SentFile>): AsyncGenerator<SentFile> {
  for await (const file of files) if (file.name !== "" && !file.isEmpty) yield file;
}

async function* uploaded(files: AsyncGenerator<SentFile>): AsyncGenerator<UploadedFile> {
  for await (const { name, stream } of files) yield { name, bytes: stream };
}

export function noFileError(): AppError {
  return new AppError("invalid", {
    en: "No file was sent; choose one",
    de: "Es kam keine Datei an: Wählen Sie eine aus",
  });
}

async function textOf({ bytes }: FormPart, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytesLeft = bytesMax;
  requireRoom(bytesLeft);
  for await (const piece of bytes) {
    bytesLeft -= piece.length;
    requireRoom(bytesLeft);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function requireRoom(bytesLeft: number): void {
  if (bytesLeft >= 0) return;
  throw new AppError("too_large", {
    en: `The fields before the file are longer than ${FIELDS_BYTES_MAX} bytes`,
    de: `Die Felder vor der Datei sind länger als ${FIELDS_BYTES_MAX} Bytes`,
  });
}
