import { mkdtempSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "./cases.ts";
import type { ForgetfulStore } from "./first-views.ts";
import { MeasuredProcess } from "./process.ts";
import type { LoadRequest } from "./wrk.ts";

/** An answer for bare node:http to send. */
export interface Prepared {
  status: number;
  /** Alternating names and values. */
  headers: string[];
  /** Base64. */
  body: string;
}

interface FloorOptions {
  origin: string;
  port: number;
  store: ForgetfulStore;
}

/** Starts bare node:http, which answers each case at `/POSITION` with the bytes that the server sends now. */
export async function startFloor(
  cases: readonly Case[],
  { origin, port, store }: FloorOptions,
): Promise<{ floor: MeasuredProcess; prepared: Prepared[] }> {
  const prepared: Prepared[] = [];
  for (const { requests, isFirst } of cases) {
    const [sample] = requests;
    if (sample === undefined) continue;
    if (isFirst === true) store.forget();
    // A cached answer may differ from the first one in its headers and coding.
    else await recorded(origin, sample);
    prepared.push(await recorded(origin, sample));
  }
  const file = join(mkdtempSync(join(tmpdir(), "floor-")), "prepared.json");
  writeFileSync(file, JSON.stringify({ ...prepared }));
  const words = ["bench/load/floor.ts", String(port), file];
  const floor = await MeasuredProcess.start(process.execPath, words, { ready: /ready/ });
  return { floor, prepared };
}

/** Leaves out what node:http adds by itself. */
async function recorded(
  origin: string,
  { method, target, headers, body }: LoadRequest,
): Promise<Prepared> {
  const asked = (text: string) => text.replaceAll("{n}", "0");
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(origin + asked(target), { method, headers }, resolve)
      .on("error", reject)
      .end(body === undefined ? undefined : asked(body));
  });
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const { statusCode: status = 0, rawHeaders } = answer;
  const whole = Buffer.concat(pieces);
  if (status >= 400 || whole.includes('"isError":true')) {
    throw new Error(`${target}: ${status} ${whole}`);
  }
  const own = rawHeaders.flatMap((name, position) =>
    position % 2 === 0 && !/^(?:date|connection|keep-alive|transfer-encoding)$/i.test(name)
      ? [name, rawHeaders[position + 1] ?? ""]
      : [],
  );
  return { status, headers: own, body: whole.toString("base64") };
}
