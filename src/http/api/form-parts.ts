import { AppError } from "../../errors.ts";
import { fileNameFromDisposition } from "./upload.ts";

/** A part of a form with files (RFC 7578). */
export interface FormPart {
  name: string;
  /** Null: a field without a file. */
  fileName: string | null;
  /**
   * The content. It must be read before the next part is requested, because requesting a part discards unread
   * bytes.
   */
  bytes: AsyncGenerator<Uint8Array>;
}

const HEADERS_BYTES_MAX = 8 * 1024;
const LINE_END = Buffer.from("\r\n");
const HEADERS_END = Buffer.from("\r\n\r\n");

/**
 * Parses a form with files as a stream, whereas `FormData` would buffer the whole form in memory.
 *
 * @throws {AppError} `invalid` if the form is malformed or truncated.
 */
export async function* parseFormParts(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<FormPart> {
  const reader = new PartReader(pieces, parseBoundary(contentType));
  await skip(reader.upToBoundary());
  while (await reader.startsPart()) {
    const { name, fileName } = await reader.headers();
    yield { name, fileName, bytes: reader.upToBoundary() };
    await skip(reader.upToBoundary());
  }
}

class PartReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  /**
   * The bytes that were received but not yet read. The initial value is a line break: every delimiter
   * begins with a line break, but the form's first boundary has none before it.
   */
  #unread: Buffer = LINE_END;
  #isAtBoundary = false;

  constructor(pieces: AsyncIterable<Uint8Array>, boundary: string) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /**
   * Yields the bytes up to the next boundary, and skips the boundary. Yields nothing if the
   * boundary was already reached.
   */
  async *upToBoundary(): AsyncGenerator<Uint8Array> {
    while (!this.#isAtBoundary) {
      const at = this.#unread.indexOf(this.#delimiter);
      const end = at === -1 ? this.#startOfBoundary() : at;
      const piece = this.#unread.subarray(0, end);
      this.#isAtBoundary = at !== -1;
      this.#unread = this.#unread.subarray(this.#isAtBoundary ? at + this.#delimiter.length : end);
      if (piece.length > 0) yield piece;
      if (!this.#isAtBoundary) await this.#readMore();
    }
  }

  /**
   * Index of an incomplete boundary at the end of the buffer; the buffer's length if there is none.
   */
  #startOfBoundary(): number {
    const { length } = this.#unread;
    let at = this.#unread.indexOf("\r", Math.max(0, length - this.#delimiter.length + 1));
    while (at !== -1) {
      if (this.#delimiter.subarray(0, length - at).equals(this.#unread.subarray(at))) return at;
      at = this.#unread.indexOf("\r", at + 1);
    }
    return length;
  }

  /** Whether a part follows the boundary, rather than the end of the form. */
  async startsPart(): Promise<boolean> {
    while (this.#unread.length < LINE_END.length) await this.#readMore();
    const suffix = this.#unread.subarray(0, LINE_END.length).toString("latin1");
    if (suffix === "--") return false;
    if (suffix !== "\r\n") throw malformedForm();
    return true;
  }

  async headers(): Promise<Pick<FormPart, "name" | "fileName">> {
    let end = this.#unread.indexOf(HEADERS_END);
    while (end === -1) {
      if (this.#unread.length > HEADERS_BYTES_MAX) throw malformedForm();
      await this.#readMore();
      end = this.#unread.indexOf(HEADERS_END);
    }
    const lines = this.#unread.toString("latin1", 0, end).split("\r\n");
    this.#unread = this.#unread.subarray(end + HEADERS_END.length);
    this.#isAtBoundary = false;
    return parseNames(lines);
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#pieces.next();
    if (done === true) throw malformedForm();
    // To save memory, copies the new bytes only if earlier bytes are still unread.
    this.#unread =
      this.#unread.length === 0
        ? Buffer.from(value.buffer, value.byteOffset, value.length)
        : Buffer.concat([this.#unread, value]);
  }
}

function parseBoundary(contentType: string): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformedForm();
  return boundary;
}

function parseNames(headers: readonly string[]): Pick<FormPart, "name" | "fileName"> {
  const disposition = headers.find((line) => /^content-disposition:\s*form-data\s*;/i.test(line));
  const name = /;\s*name="([^"]*)"/i.exec(disposition ?? "")?.[1];
  if (disposition === undefined || name === undefined) throw malformedForm();
  const hasFile = /;\s*filename\*?\s*=/i.test(disposition);
  const field = Buffer.from(name, "latin1").toString();
  return {
    name: unescapeName(field),
    fileName: hasFile ? unescapeName(fileNameFromDisposition(disposition)) : null,
  };
}

/**
 * Decodes the characters that browsers escape in names: quotation marks, and line breaks, which
 * become spaces (HTML, "Multipart form data").
 */
function unescapeName(name: string): string {
  return name.replaceAll("%22", '"').replaceAll(/%0[AD]/gi, " ");
}

async function skip(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _piece of bytes);
}

function malformedForm(): AppError {
  return new AppError("invalid", {
    en: "The form cannot be read: it ends early or is not well-formed; open its page again and send it from there",
    de: "Das Formular ist nicht lesbar: Es endet zu früh oder ist nicht richtig gebildet. Öffnen Sie seine Seite neu und senden Sie es von dort",
  });
}
