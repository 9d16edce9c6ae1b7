/** PostgreSQL's protocol, version 3: https://www.postgresql.org/docs/current/protocol-message-formats.html */

const INTEGER_BYTES = 4;

/** A message from a client. */
export type Asked =
  | { kind: "startup"; settings: ReadonlyMap<string, string> }
  | { kind: "query"; sql: string }
  | { kind: "parse"; name: string; sql: string }
  | { kind: "bind"; name: string; values: readonly (string | Buffer | null)[] }
  | { kind: "describe" }
  | { kind: "execute" }
  | { kind: "sync" }
  | { kind: "terminate" }
  | { kind: "other" };

/** Divides the bytes of a connection into messages. */
export class MessageReader {
  #bytes = Buffer.alloc(0);
  #isStarted = false;

  read(bytes: Buffer): Asked[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const messages: Asked[] = [];
    for (let asked = this.#next(); asked !== null; asked = this.#next()) messages.push(asked);
    return messages;
  }

  #next(): Asked | null {
    const typeBytes = this.#isStarted ? 1 : 0;
    if (this.#bytes.length < typeBytes + INTEGER_BYTES) return null;
    const end = typeBytes + this.#bytes.readInt32BE(typeBytes);
    if (this.#bytes.length < end) return null;
    const type = this.#isStarted ? String.fromCharCode(this.#bytes[0] ?? 0) : "";
    const body = new Fields(this.#bytes.subarray(typeBytes + INTEGER_BYTES, end));
    this.#bytes = this.#bytes.subarray(end);
    this.#isStarted = true;
    return type === "" ? startup(body) : asked(type, body);
  }
}

function startup(body: Fields): Asked {
  body.integer();
  const settings = new Map<string, string>();
  for (let name = body.text(); name !== ""; name = body.text()) settings.set(name, body.text());
  return { kind: "startup", settings };
}

function asked(type: string, body: Fields): Asked {
  switch (type) {
    case "Q":
      return { kind: "query", sql: body.text() };
    case "P":
      return { kind: "parse", name: body.text(), sql: body.text() };
    case "B":
      return bind(body);
    case "D":
      return { kind: "describe" };
    case "E":
      return { kind: "execute" };
    case "S":
      return { kind: "sync" };
    case "X":
      return { kind: "terminate" };
    default:
      return { kind: "other" };
  }
}

function bind(body: Fields): Asked {
  body.text();
  const name = body.text();
  const formats = Array.from({ length: body.short() }, () => body.short());
  const values = Array.from({ length: body.short() }, (_, at) => {
    const bytes = body.bytes();
    const isBinary = (formats.length === 1 ? formats[0] : formats[at]) === 1;
    return bytes === null || isBinary ? bytes : bytes.toString();
  });
  return { kind: "bind", name, values };
}

class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  integer(): number {
    this.#at += INTEGER_BYTES;
    return this.#bytes.readInt32BE(this.#at - INTEGER_BYTES);
  }

  short(): number {
    this.#at += 2;
    return this.#bytes.readInt16BE(this.#at - 2);
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) return "";
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  bytes(): Buffer | null {
    const length = this.integer();
    if (length === -1) return null;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

export type Value = string | number | bigint | boolean | null | Uint8Array;

/** The answer to a statement. `columns` is null if it returns no rows. */
export interface Answer {
  columns: readonly string[] | null;
  rows: readonly (readonly Value[])[];
  /** The command tag, such as `INSERT 0 1`. */
  tag: string;
}

const OID = { bool: 16, bytea: 17, int8: 20, text: 25, float8: 701 } as const;

export function rowDescription({ columns, rows }: Answer): Buffer {
  if (columns === null) return message("n", []);
  const fields = columns.map((name, at) => {
    const oid = oidOf(rows.find((row) => row[at] !== null)?.[at] ?? null);
    return Buffer.concat([
      text(name),
      integer(0),
      short(0),
      integer(oid),
      short(-1),
      integer(-1),
      short(0),
    ]);
  });
  return message("T", [short(columns.length), ...fields]);
}

export function dataRow(row: readonly Value[]): Buffer {
  const fields = row.flatMap((value) => {
    if (value === null) return [integer(-1)];
    const bytes = Buffer.from(asText(value));
    return [integer(bytes.length), bytes];
  });
  return message("D", [short(row.length), ...fields]);
}

export function errorResponse({ code, message: what }: { code: string; message: string }): Buffer {
  const severity = code.startsWith("57P") ? "FATAL" : "ERROR";
  const fields = { S: severity, V: severity, C: code, M: what };
  const parts = Object.entries(fields).flatMap(([type, value]) => [Buffer.from(type), text(value)]);
  return message("E", [...parts, Buffer.of(0)]);
}

export function readyForQuery(state: "I" | "T" | "E"): Buffer {
  return message("Z", [Buffer.from(state)]);
}

export function commandComplete(tag: string): Buffer {
  return message("C", [text(tag)]);
}

export function notification(channel: string, payload: string): Buffer {
  return message("A", [integer(1), text(channel), text(payload)]);
}

export const AUTHENTICATED = message("R", [integer(0)]);
export const PARSED = message("1", []);
export const BOUND = message("2", []);

function message(type: string, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), integer(body.length + INTEGER_BYTES), body]);
}

function oidOf(value: Value): number {
  switch (typeof value) {
    case "boolean":
      return OID.bool;
    case "bigint":
      return OID.int8;
    case "number":
      return Number.isInteger(value) ? OID.int8 : OID.float8;
    case "string":
      return OID.text;
    default:
      return value === null ? OID.text : OID.bytea;
  }
}

function asText(value: string | number | bigint | boolean | Uint8Array): string {
  if (typeof value === "boolean") return value ? "t" : "f";
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : String(value);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(INTEGER_BYTES);
  bytes.writeInt32BE(value);
  return bytes;
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
