import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

export interface RawAnswer {
  status: number;
  /** Names are in lower case. Of repeated headers, the last counts. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** Sends the bytes, one chunk for each turn of the event loop, and reads until the server closes. */
export async function exchangeRaw(
  port: number,
  pieces: Iterable<string | Uint8Array>,
  { waitsForContinue = false }: { waitsForContinue?: boolean } = {},
): Promise<RawAnswer[]> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  const received: Buffer[] = [];
  const continued = Promise.withResolvers<void>();
  socket.setTimeout(20_000, () => socket.destroy(new Error("The server does not close")));
  socket.on("data", (piece: Buffer) => {
    received.push(piece);
    continued.resolve();
  });
  const closed = once(socket, "close");
  await once(socket, "connect");
  let isFirst = true;
  for (const piece of pieces) {
    if (!socket.write(piece)) await Promise.race([once(socket, "drain"), closed]);
    await (isFirst && waitsForContinue ? Promise.race([continued.promise, closed]) : nextTurn());
    isFirst = false;
    if (socket.destroyed) break;
  }
  await closed;
  return answersIn(Buffer.concat(received).toString("latin1"));
}

/** The final answers in order, without interim responses. */
export function answersIn(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) throw new Error(`No end of the headers: ${rest.slice(0, 200)}`);
    const [line = "", ...fields] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    const headers = new Map(fields.map((field) => namedField(field)));
    const { body, bytes } = bodyAt(rest.slice(end + 4), headers);
    if (status >= 200) answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + bytes);
  }
  return answers;
}

function namedField(field: string): [string, string] {
  const colon = field.indexOf(":");
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
}

function bodyAt(
  text: string,
  headers: ReadonlyMap<string, string>,
): { body: string; bytes: number } {
  if (headers.get("transfer-encoding") !== "chunked") {
    const bytes = Number(headers.get("content-length") ?? 0);
    return { body: text.slice(0, bytes), bytes };
  }
  let body = "";
  let at = 0;
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) throw new Error("The chunked body breaks off");
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return { body, bytes: at };
  }
}
