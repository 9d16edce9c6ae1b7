import { createConnection, createServer, type Server, type Socket } from "node:net";

/** A connection to a database on which chosen statements fail with a chosen SQLSTATE. */
export interface FailingWay extends AsyncDisposable {
  url: string;
  /**
   * Makes matching statements, or every new connection, fail from now on. `connect` also ends all
   * connections.
   */
  fail(at: RegExp | "connect", sqlstate: string): void;
  heal(): void;
}

interface Failure {
  at: RegExp | "connect";
  sqlstate: string;
}

const STARTUP_HEAD_BYTES = 4;
const MESSAGE_HEAD_BYTES = 5;

/**
 * A proxy that garbles chosen statements, so that the server itself refuses them in order, and replaces the
 * SQLSTATE of the answer.
 */
export async function openFailingWay(database: string): Promise<FailingWay> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let failure: Failure | null = null;
  const server: Server = createServer((near) => {
    const far = createConnection({ port: Number(port), host: hostname });
    const toServer = new Messages({ hasStartup: true });
    const toClient = new Messages({ hasStartup: false });
    const statements = new Map<string, string>();
    const garbledStatements = { count: 0 };
    near.on("data", (piece: Buffer) => {
      for (const message of toServer.take(piece)) {
        if (message.type === "" && failure?.at === "connect") {
          near.end(fatal(failure.sqlstate));
          far.destroy();
          return;
        }
        const text = statementIn(message, statements);
        if (text !== null && failure?.at instanceof RegExp && failure.at.test(text.sql)) {
          message.bytes.fill("!", text.from, text.from + 1);
          garbledStatements.count += 1;
        }
        far.write(message.bytes);
      }
    });
    far.on("data", (piece: Buffer) => {
      for (const { type, bytes } of toClient.take(piece)) {
        if (type === "E" && garbledStatements.count > 0) {
          garbledStatements.count -= 1;
          replaceCode(bytes, failure?.sqlstate);
        }
        near.write(bytes);
      }
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(database);
  url.host = `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    fail(at, sqlstate) {
      failure = { at, sqlstate };
      if (at === "connect") endAll();
    },
    heal() {
      failure = null;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      endAll();
      await closed;
    },
  };
}

interface Message {
  /** Empty for the startup message. */
  type: string;
  bytes: Buffer;
}

/** Divides a stream into messages of the PostgreSQL protocol. */
class Messages {
  #held: Buffer = Buffer.alloc(0);
  #awaitsStartup: boolean;

  constructor({ hasStartup }: { hasStartup: boolean }) {
    this.#awaitsStartup = hasStartup;
  }

  take(piece: Buffer): Message[] {
    this.#held = Buffer.concat([this.#held, piece]);
    const messages: Message[] = [];
    for (;;) {
      const head = this.#awaitsStartup ? STARTUP_HEAD_BYTES : MESSAGE_HEAD_BYTES;
      if (this.#held.length < head) return messages;
      const typeBytes = head - STARTUP_HEAD_BYTES;
      const length = typeBytes + this.#held.readInt32BE(typeBytes);
      if (this.#held.length < length) return messages;
      const bytes = Buffer.from(this.#held.subarray(0, length));
      messages.push({ type: bytes.toString("latin1", 0, typeBytes), bytes });
      this.#held = this.#held.subarray(length);
      this.#awaitsStartup = false;
    }
  }
}

/** The SQL that a message runs or prepares, and the position at which garbling makes the server refuse it. */
function statementIn(
  { type, bytes }: Message,
  statements: Map<string, string>,
): { sql: string; from: number } | null {
  if (type === "Q") return { sql: textAt(bytes, MESSAGE_HEAD_BYTES), from: MESSAGE_HEAD_BYTES };
  const name = textAt(bytes, MESSAGE_HEAD_BYTES);
  const afterName = MESSAGE_HEAD_BYTES + Buffer.byteLength(name) + 1;
  if (type === "P") {
    const sql = textAt(bytes, afterName);
    statements.set(name, sql);
    return { sql, from: afterName };
  }
  if (type !== "B") return null;
  const statement = textAt(bytes, afterName);
  const sql = statements.get(statement);
  return statement === "" || sql === undefined ? null : { sql, from: afterName };
}

function textAt(bytes: Buffer, from: number): string {
  return bytes.toString("utf8", from, bytes.indexOf(0, from));
}

/** All codes have five characters. */
function replaceCode(bytes: Buffer, sqlstate = "XX000"): void {
  const at = bytes.indexOf("\0C", MESSAGE_HEAD_BYTES, "latin1");
  bytes.write(sqlstate, at + 2, "latin1");
}

function fatal(sqlstate: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlstate}\0Minjected\0\0`, "latin1");
  const head = Buffer.alloc(MESSAGE_HEAD_BYTES);
  head.write("E", "latin1");
  head.writeInt32BE(fields.length + STARTUP_HEAD_BYTES, 1);
  return Buffer.concat([head, fields]);
}
