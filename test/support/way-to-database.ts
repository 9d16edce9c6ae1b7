import { createConnection, createServer, type Server, type Socket } from "node:net";

/** An instance's connection to its database, which a test can break. */
export interface Way extends AsyncDisposable {
  /** URL of the database over this connection. */
  url: string;
  /** Ends all connections and refuses new ones until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Stops all traffic from now on, without closing connections. */
  hang(): void;
  /**
   * Ends the connection that next commits an insert into `table`, either before the database receives the
   * commit or after it has confirmed it but before the confirmation arrives. Resolves when that has happened.
   */
  cutCommit(when: "before" | "after", table: string): Promise<void>;
  /** Delays everything by this much in each direction from now on. */
  delay(milliseconds: number): void;
  /** Number of requests that were followed by waiting for an answer, over all connections. */
  roundTrips(): number;
}

export async function openWay(database: string): Promise<Way> {
  const { hostname, port: databasePort } = new URL(database);
  const sockets = new Set<Socket>();
  let isHanging = false;
  let milliseconds = 0;
  let commitCut: { when: "before" | "after"; table: string; done: () => void } | null = null;
  const writers = new WeakSet<Socket>();
  let roundTrips = 0;
  const isCut = (piece: string | Buffer, near: Socket): boolean => {
    if (commitCut === null) return false;
    if (piece.includes(`insert into "${commitCut.table}"`)) writers.add(near);
    const mark = commitCut.when === "before" ? "commit\0" : "COMMIT\0";
    if (!writers.has(near) || !piece.includes(mark)) return false;
    commitCut.done();
    commitCut = null;
    return true;
  };
  // Allows half-open sockets, so that neither side notices an end while the connection hangs.
  const server: Server = createServer({ allowHalfOpen: true }, (near) => {
    const address = { port: Number(databasePort), host: hostname, allowHalfOpen: true };
    const far = createConnection(address);
    let isAnswered = true;
    near.on("data", () => {
      if (isAnswered) roundTrips += 1;
      isAnswered = false;
    });
    far.on("data", () => {
      isAnswered = true;
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("data", (piece) => {
        if (isCut(piece, near)) {
          near.destroy();
          far.destroy();
          return;
        }
        if (milliseconds > 0) setTimeout(() => other.write(piece), milliseconds);
        else if (!isHanging) other.write(piece);
      });
      socket.setNoDelay(true);
      socket.on("end", () => {
        if (!isHanging) other.end();
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const listen = async (port: number) =>
    await new Promise<number>((resolve) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        resolve(address !== null && typeof address === "object" ? address.port : 0);
      });
    });
  const port = await listen(0);
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    mend: async () => void (await listen(port)),
    hang() {
      isHanging = true;
    },
    async cutCommit(when, table) {
      await new Promise<void>((done) => {
        commitCut = { when, table, done };
      });
    },
    delay(each) {
      milliseconds = each;
    },
    roundTrips: () => roundTrips,
    async [Symbol.asyncDispose]() {
      if (server.listening) await cut();
    },
  };
}
