import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";
import { png } from "../../support/media-bytes.ts";
import { until } from "../../support/until.ts";
import { type Facts, readFacts } from "./facts.ts";
import type { Fault } from "./judging.ts";
import { ENVIRONMENT, INHERITED, MAIN } from "./program.ts";
import type { Templates } from "./templates.ts";
import { isServing } from "./writes.ts";

const WRITING_MS_MAX = 400;
const STARTING_MS_MAX = 500;
/** One in this many kills happens during a start. */
const STARTS_OF = 5;
const COLOURS = 256;

export interface RandomKills {
  kills: number;
  acknowledged: number;
  faults: readonly Fault[];
}

interface Site {
  data: string;
  port: number;
  origin: string;
  key: string;
  environment: Record<string, string | undefined>;
}

/** Paths of items and ids of files whose writes were acknowledged. */
type Acknowledged = Set<string>;

/**
 * Kills a server at random times, during writes over HTTP and by commands, which are killed too. Checks that
 * everything acknowledged is there.
 */
export async function killAtRandom(
  work: string,
  { site: template, key }: Templates,
  { kills, next }: { kills: number; next: () => number },
): Promise<RandomKills> {
  const data = join(work, "random-kills");
  cpSync(template, data, { recursive: true });
  const pictures = join(work, "random-pictures");
  mkdirSync(pictures);
  const port = await freePort();
  const environment = { ...INHERITED, ...ENVIRONMENT, DATA_DIR: data, PORT: String(port) };
  const site = { data, port, origin: `http://127.0.0.1:${port}`, key, environment };
  const acknowledged: Acknowledged = new Set();
  const faults: Fault[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const server = started(site, "serve");
    if (kill % STARTS_OF === 0) {
      await wait(next() % STARTING_MS_MAX);
      await endAtOnce(server);
      continue;
    }
    if (!(await isServing(server))) {
      faults.push({ kind: "does not start", detail: `after ${kill} kills` });
      break;
    }
    const before = acknowledged.size;
    const writing = [
      writeItems(site, `${kill}-http`, acknowledged),
      writePictures(site, kill, acknowledged),
      writeByCommand(
        site,
        { kill, pictures, isKilledAfter: next() % (2 * WRITING_MS_MAX) },
        acknowledged,
      ),
    ];
    await until(() => acknowledged.size > before);
    await wait(next() % WRITING_MS_MAX);
    await endAtOnce(server);
    await Promise.all(writing);
  }
  const last = started(site, "serve");
  if (!(await isServing(last))) faults.push({ kind: "does not start", detail: "at the end" });
  last.kill("SIGTERM");
  await exitCodeOf(last);
  const facts = readFacts(join(data, "commonplace.db"), join(data, "media"));
  return {
    kills,
    acknowledged: acknowledged.size,
    faults: [...faults, ...lostOf(facts, acknowledged)],
  };
}

function lostOf(facts: Facts, acknowledged: Acknowledged): Fault[] {
  const there = new Set([...Object.keys(facts.items), ...facts.media]);
  return [
    ...[...acknowledged]
      .filter((name) => !there.has(name))
      .map((detail) => ({ kind: "acknowledged lost", detail }) as const),
    ...facts.lost.map((detail) => ({ kind: "file lost", detail }) as const),
  ];
}

async function writeItems(site: Site, name: string, acknowledged: Acknowledged): Promise<void> {
  for (let count = 0; ; count += 1) {
    const path = `/topics/${name}-${count}`;
    const body = JSON.stringify({
      type: "topic",
      title: `${name} ${count}`,
      path,
      status: "published",
    });
    if (!(await isAcknowledged(site, "/content", { type: "application/json", body }))) return;
    acknowledged.add(path);
  }
}

async function writePictures(site: Site, kill: number, acknowledged: Acknowledged): Promise<void> {
  for (let count = 0; count < COLOURS; count += 1) {
    const body = Uint8Array.from(png(kill + 2, 3, count));
    if (!(await isAcknowledged(site, "/media", { type: "image/png", body }))) return;
    acknowledged.add(mediumOf(body));
  }
}

async function writeByCommand(
  site: Site,
  { kill, pictures, isKilledAfter }: { kill: number; pictures: string; isKilledAfter: number },
  acknowledged: Acknowledged,
): Promise<void> {
  const bytes = png(3, kill + 2, kill % COLOURS);
  const picture = join(pictures, `${kill}.png`);
  writeFileSync(picture, bytes);
  const command = started(site, "media", "add", picture);
  const killTimer = setTimeout(() => command.kill("SIGKILL"), isKilledAfter);
  const code = await exitCodeOf(command);
  clearTimeout(killTimer);
  if (code === 0) acknowledged.add(mediumOf(bytes));
}

function mediumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

/** Whether the request was acknowledged; false once the server is gone. */
async function isAcknowledged(
  { origin, key }: Site,
  path: string,
  { type, body }: { type: string; body: string | Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  const answer = await fetch(`${origin}/api/v1${path}`, { method: "POST", headers, body }).catch(
    () => null,
  );
  if (answer === null) return false;
  const text = await answer.text().catch(() => "");
  if (!answer.ok) throw new Error(`POST ${path} is answered ${answer.status}: ${text}`);
  return true;
}

function started({ environment }: Site, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.resume();
  return child;
}

async function endAtOnce(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await exitCodeOf(child);
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
