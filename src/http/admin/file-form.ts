import { AppError } from "../../errors.ts";
import { arrivingBytes } from "../api/arriving-bytes.ts";
import { withFormData } from "../api/upload.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { SentFile, SentForm } from "../site/sent-form.ts";
import { type FormPart, formParts } from "./form-parts.ts";

export function isFileForm(request: Pick<HttpRequest, "method" | "header">): boolean {
  const type = request.header("content-type") ?? "";
  return request.method === "POST" && type.startsWith("multipart/form-data");
}

/** Reads a form with files. @throws {AppError} `too_large`, `invalid`, `unavailable`. */
export async function withFileForm(
  request: HttpRequest,
  respond: (form: SentForm) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  return await withFormData(request, async (data) => {
    const files = [...data.values()].filter((value) => typeof value !== "string");
    const fields = [...data].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    return await respond(sentForm(fields, files.map(wholeFile)));
  });
}

function wholeFile(file: File): SentFile {
  const { name, size } = file;
  return { name, isEmpty: size === 0, bytesAtLeast: size, stream: () => file.stream() };
}

/** Size limit of the fields before the file. */
const FIELDS_BYTES_MAX = 64 * 1024;
const NOTHING_KEPT = {
  en: "nothing was kept; send the file again",
  de: "es ist nichts davon übrig: Senden Sie die Datei noch einmal",
};

/**
 * Reads a form and streams its file, which may have any size. Fields after the file are ignored.
 *
 * @throws {AppError} `invalid` for a malformed form; `too_large` for fields that are too long.
 * Reading the file also throws if it arrives too slowly or the server stops.
 */
export async function arrivingFileForm(
  request: HttpRequest,
  draining: AbortSignal,
): Promise<SentForm> {
  request.liftTimeLimit();
  const arriving = arrivingBytes(request, { advice: NOTHING_KEPT, draining });
  const parts = formParts(arriving, request.header("content-type") ?? "");
  const fields: [string, string][] = [];
  let bytesLeft = FIELDS_BYTES_MAX;
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done === true) return sentForm(fields, []);
    if (part.fileName !== null) {
      const declaredBytes = request.body?.declaredBytes ?? 0;
      return sentForm(fields, [
        await arrivingFile(part.fileName, part.bytes, { arriving, declaredBytes }),
      ]);
    }
    const value = await textOf(part, bytesLeft);
    bytesLeft -= value.length;
    fields.push([part.name, value.toString()]);
  }
}

async function arrivingFile(
  name: string,
  bytes: AsyncGenerator<Uint8Array>,
  { arriving, declaredBytes }: { arriving: AsyncGenerator<Uint8Array>; declaredBytes: number },
): Promise<SentFile> {
  const first = await bytes.next();
  return {
    name,
    isEmpty: first.done === true,
    bytesAtLeast: Math.max(0, declaredBytes - FIELDS_BYTES_MAX),
    async *stream() {
      try {
        if (first.done !== true) yield first.value;
        yield* bytes;
      } finally {
        await arriving.return(undefined);
      }
    },
  };
}

async function textOf({ bytes }: FormPart, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > bytesMax) {
      throw new AppError("too_large", {
        en: `The fields before the file are longer than ${FIELDS_BYTES_MAX} bytes`,
        de: `Die Felder vor der Datei sind länger als ${FIELDS_BYTES_MAX} Bytes`,
      });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function sentForm(
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly SentFile[],
): SentForm {
  const values = (name: string) => fields.flatMap(([own, value]) => (own === name ? [value] : []));
  return { value: (name) => values(name)[0] ?? "", values, fields, files };
}
