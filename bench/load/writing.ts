import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "./cases.ts";
import { MeasuredProcess } from "./process.ts";
import type { LoadRequest } from "./wrk.ts";

const RECORDER = new URL("./record-writes.ts", import.meta.url);
const PEER = new URL("./write-peer.ts", import.meta.url);
const STORE = "commonplace.db";

/** The cost of storing the rows of a request without anything around it. */
export interface WritePeer extends AsyncDisposable {
  /** CPU µs per transaction. The more were run before, the warmer the program is. */
  cpuMicroseconds(): Promise<number>;
}

interface Replayed {
  count: number;
  cpuMicroseconds: number;
}

interface PeerOptions {
  /** A store that no process has open. Copies of it are used. */
  dataDir: string;
  environment: Readonly<Record<string, string>>;
  origin: string;
  rounds: number;
  transactionsARound: number;
}

/** Makes a server store what a case requests, and a bare program do the same on another copy. */
export async function startWritePeer(
  { requests }: Case,
  { dataDir, environment, origin, rounds, transactionsARound }: PeerOptions,
): Promise<WritePeer> {
  const folder = mkdtempSync(join(tmpdir(), "writes-"));
  const [recording, replaying, file] = ["recording", "replaying", "recorded"].map((name) =>
    join(folder, name),
  );
  for (const copy of [recording, replaying]) cpSync(dataDir, String(copy), { recursive: true });
  {
    const words = ["--import", RECORDER.href, "bin/commonplace.cjs", "serve"];
    await using _server = await MeasuredProcess.start(process.execPath, words, {
      environment: {
        ...environment,
        DATA_DIR: String(recording),
        RECORD_WRITES_TO: String(file),
      },
      ready: /Issue a key/,
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let number = 0; number < rounds * transactionsARound; number += 1) {
      const request = requests[number % requests.length];
      if (request !== undefined) await send(origin, request, { number, agent });
    }
    agent.destroy();
  }
  const peer = fork(PEER, [join(String(replaying), STORE), String(file)]);
  await once(peer, "message");
  return {
    cpuMicroseconds: () => replayNext(peer, transactionsARound),
    async [Symbol.asyncDispose]() {
      peer.disconnect();
      await once(peer, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

function replayNext(peer: ChildProcess, transactions: number): Promise<number> {
  return new Promise((resolve, reject) => {
    peer.once("message", ({ count, cpuMicroseconds }: Replayed) => {
      if (count < transactions) reject(new Error("Too few transactions were recorded"));
      resolve(cpuMicroseconds);
    });
    peer.send(transactions);
  });
}

async function send(
  origin: string,
  { method, target, headers, body }: LoadRequest,
  { number, agent }: { number: number; agent: Agent },
): Promise<void> {
  const asked = (text: string) => text.replaceAll("{n}", `r${number}`);
  await new Promise<void>((resolve, reject) => {
    httpRequest(origin + asked(target), { method, headers, agent }, (answer) => {
      if ((answer.statusCode ?? 0) >= 400) reject(new Error(`${target}: ${answer.statusCode}`));
      answer.resume().on("end", resolve);
    })
      .on("error", reject)
      .end(body === undefined ? undefined : asked(body));
  });
}
