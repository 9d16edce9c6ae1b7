import { createConnection, createServer, type Server, type Socket } from "node:net";

/** The way from an instance to its database, which may fail. */
export interface Way extends AsyncDisposable {
  /** Of the database, over this way. */
  url: string;
  /** Ends every connection; no other is had until it is mended. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** From now on nothing passes, and nobody is told. */
  hang(): void;
  /**
   * Ends the connection that next commits an insert into `table`: before the database gets the commit,
   * or once it has confirmed it, before the confirmation passes. Resolves when that has happened.
   */
  cutCommit(when: "before" | "after", table: string): Promise<void>;
  /** From now on everything takes so long in each direction. */
  delay(milliseconds: number): void;
  /** How often somebody has asked and then waited for an answer, on all connections. */
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
  // Half open, so that nobody hears of an end either while it hangs.
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
