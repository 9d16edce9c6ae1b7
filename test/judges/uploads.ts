import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../support/until.ts";
import { zipOf } from "../support/workbook-bytes.ts";
import { type DemoServer, startDemoServer } from "./demo-server.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Measures what a large file costs a running server during an upload through the import form, and proves that
 * nothing is left if the upload breaks off or the server is killed: `npm run judge:uploads -- [MEGABYTES]`.
 */
const MEGABYTES = Number(process.argv[2] ?? 60);
const MEGABYTE = 1024 * 1024;
const GROWTH_MEGABYTES_MAX = 64;
const WATCH_MILLISECONDS = 20;
const PIECE_BYTES = 256 * 1024;
const END = Buffer.from("\r\n--edge--\r\n");

/** A page, and a large file that nothing shows. */
const ARCHIVE = zipOf([
  { name: "site/about-it.md", bytes: Buffer.from("---\ntitle: About it\n---\n\nText\n") },
  { name: "site/film.bin", bytes: randomBytes(MEGABYTES * MEGABYTE) },
]);

const dataDir = mkdtempSync(join(tmpdir(), "commonplace-uploads-"));
try {
  const verdicts = await judge(await startDemoServer(undefined, { DATA_DIR: dataDir }));
  process.exitCode = announce([...verdicts, await judgeRestart()]);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

interface Session {
  cookie: string;
  token: string;
}

/** The server is killed at the end, in the middle of an upload. */
async function judge(server: DemoServer): Promise<Verdict[]> {
  const session = await signedIn(server);
  const first = await upload(server, session, ARCHIVE.subarray(0, MEGABYTE));
  const whole = await upload(server, session, ARCHIVE);
  const abandonedUpload = startUpload(server, session);
  await untilArriving();
  abandonedUpload.destroy();
  const isGone = await until(() => partsIn().length === 0).then(
    () => true,
    () => false,
  );
  const killed = startUpload(server, session);
  await untilArriving();
  process.kill(server.pid, "SIGKILL");
  await new Promise((resolve) => killed.once("close", resolve));
  return [
    {
      what: `memory while ${MEGABYTES} MB arrive`,
      passed: whole.status === 303 && whole.growth <= GROWTH_MEGABYTES_MAX,
      detail: `${whole.growth} MB more (at most ${GROWTH_MEGABYTES_MAX}), answered ${whole.status} after ${whole.seconds} s; 1 MB before it: ${first.growth} MB more`,
    },
    { what: "an upload that breaks off", passed: isGone, detail: "leaves no file" },
  ];
}

async function judgeRestart(): Promise<Verdict> {
  const left = partsIn().length;
  const server = await startDemoServer(undefined, { DATA_DIR: dataDir });
  const isGone = await until(() => partsIn().length === 0).then(
    () => true,
    () => false,
  );
  await server.stop();
  const detail = `left ${left} files, and ${partsIn().length} once it had started again`;
  return { what: "a server that is killed", passed: left > 0 && isGone, detail };
}

async function signedIn({ origin, setupCode }: DemoServer): Promise<Session> {
  const code = await setupCode();
  const fields = {
    email: "anna@example.org",
    name: "Anna",
    "new-password": "a few words in a row",
  };
  const answer = await fetch(`${origin}/admin/setup`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: origin, "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ code, ...fields }),
  });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const page = await fetch(`${origin}/admin/jobs`, { headers: { Cookie: cookie } });
  const token = / name="token" value="([^"]+)"/.exec(await page.text())?.[1];
  if (token === undefined) throw new Error(`Signing in was answered ${answer.status}`);
  return { cookie, token };
}

function startUpload(
  { origin }: DemoServer,
  { cookie, token }: Session,
  bytes: Buffer = ARCHIVE,
): ClientRequest {
  const start = Buffer.from(
    `--edge\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n--edge\r\nContent-Disposition: form-data; name="file"; filename="site.zip"\r\n\r\n`,
  );
  const sent = request(`${origin}/admin/jobs/import`, {
    method: "POST",
    headers: {
      "Content-Type": "multipart/form-data; boundary=edge",
      "Content-Length": start.length + bytes.length + END.length,
      Cookie: cookie,
      Origin: origin,
      "Sec-Fetch-Site": "same-origin",
    },
  });
  // The server is killed, or the request destroyed, on purpose.
  sent.on("error", () => {});
  sent.write(start);
  sent.write(bytes.subarray(0, bytes.length / 2));
  return sent;
}

async function upload(server: DemoServer, session: Session, bytes: Buffer) {
  const before = residentMegabytes(server.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMegabytes(server.pid));
  }, WATCH_MILLISECONDS);
  const begun = performance.now();
  const sent = startUpload(server, session, bytes);
  for (let at = bytes.length / 2; at < bytes.length; at += PIECE_BYTES) {
    sent.write(bytes.subarray(at, at + PIECE_BYTES));
  }
  sent.end(END);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  clearInterval(watch);
  answer?.resume();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  return { status: answer?.statusCode, growth: Math.round(most - before), seconds };
}

async function untilArriving(): Promise<void> {
  await until(() => partsIn().length > 0);
  await wait(200);
}

function partsIn(): string[] {
  return readdirSync(join(dataDir, "jobs")).filter((name) => name.startsWith("arriving-"));
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
