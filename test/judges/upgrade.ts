import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type Answer,
  answersOf,
  changedAnswers,
  lostRows,
  type Rows,
  readRows,
  rowCount,
} from "./upgrade/state.ts";
import { checkOut, command, start, startAndKill, type Version } from "./upgrade/version.ts";
import { type Acknowledged, send, writeUntilKilled } from "./upgrade/writing.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Upgrades sites that earlier versions made, with the npm package. Upgrades are killed in the middle,
 * completed, and rolled back: `npm run prove:upgrade -- [COMMIT…]`, in a clone with its history.
 */
const COMMITS = ["8db6ecc", "fd4123f", "101e971"];
const KILLS = 4;
const WRITING_MS = 1500;
/** Requests per minute; higher than any machine reaches. */
const RATE = "100000";
const SCOPES = ["content:read", "content:write", "content:publish", "mcp:read"];

interface EarlierSite {
  version: Version;
  dataDir: string;
  key: string;
  acknowledged: Acknowledged[];
  rows: Rows;
  answers: Map<string, Answer>;
}

const verdicts: Verdict[] = [];
const work = mkdtempSync(join(tmpdir(), "commonplace-upgrade-"));
try {
  execFileSync("npm", ["run", "-s", "package"], { stdio: "ignore" });
  const today: Version = { name: "the package", program: resolve("dist/bin/commonplace.cjs") };
  const commits = process.argv.length > 2 ? process.argv.slice(2) : COMMITS;
  for (const commit of commits) await drill(today, await makeSite(commit));
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = announce(verdicts);

/** Makes a demo site whose server was killed during writes over the API. */
async function makeSite(commit: string): Promise<EarlierSite> {
  tell(`${commit}: makes a site`);
  const version = checkOut(commit, join(work, commit));
  const dataDir = join(work, `${commit}-data`);
  command(version, dataDir, "import", join(work, commit, "demo"), "--publish");
  const scopes = SCOPES.flatMap((scope) => ["--scope", scope]);
  const key = command(
    version,
    dataDir,
    "keys",
    "issue",
    "--name",
    "drill",
    "--rate",
    RATE,
    ...scopes,
  ).trim();
  const written = await start(version, dataDir);
  const acknowledged = await writeUntilKilled(
    { origin: written.origin, key },
    { during: WRITING_MS, kill: written.kill },
  );
  // Reads what the kill left, before anything else opens it.
  const rows = readRows(dataDir);
  const asked = join(work, `${commit}-asked`);
  cpSync(dataDir, asked, { recursive: true });
  const server = await start(version, asked);
  const answers = await answersOf(server.origin, addressesIn(rows));
  await server.stop();
  return { version, dataDir, key, acknowledged, rows, answers };
}

function addressesIn(rows: Rows): string[] {
  const claims = [...(rows.get("path_claims")?.rows ?? [])].map((row) => JSON.parse(row).path);
  const redirects = [...(rows.get("redirects")?.rows ?? [])].map((row) => JSON.parse(row).path);
  return [...claims, ...redirects].map(String);
}

async function drill(today: Version, site: EarlierSite): Promise<void> {
  const { version, dataDir, rows } = site;
  tell(`${version.name}: upgrades it`);
  const trial = join(work, "trial");
  cpSync(dataDir, trial, { recursive: true });
  const tried = await start(today, trial);
  await tried.stop();
  rmSync(trial, { recursive: true });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await startAndKill(today, dataDir, (tried.startedInMs * kill) / (KILLS + 1));
  }
  const server = await start(today, dataDir);
  const answers = await answersOf(server.origin, [...site.answers.keys()]);
  const body = { type: "page", path: "/written-later", title: "Later", body: "Later" };
  await send({ origin: server.origin, key: site.key }, "/content", { method: "POST", body });
  await server.stop();
  const after = readRows(dataDir, rows);
  judge(`${version.name}, killed ${KILLS} times and upgraded: no row lost`, {
    faults: lostRows(rows, after),
    detail: `${rowCount(rows)} rows in ${rows.size} tables`,
  });
  judge(`${version.name}: no acknowledged write lost`, {
    faults: missingWrites(site.acknowledged, after),
    detail: `${site.acknowledged.length} acknowledged before the kill`,
  });
  judge(`${version.name}: every address answers as before, with the same text`, {
    faults: changedAnswers(site.answers, answers),
    detail: `${answers.size} addresses`,
  });
  await rollBack(today, site);
}

async function rollBack(today: Version, { version, dataDir, key, rows, answers }: EarlierSite) {
  tell(`${version.name}: goes back`);
  const kept = readdirSync(dataDir).filter((name) => name.startsWith("before-upgrade-"));
  const backup = join(dataDir, kept[0] ?? "none");
  const said = command(today, dataDir, "restore", backup, "--force");
  judge(`${version.name}: the way back lists what was written since`, {
    faults: /content\.create \/written-later/.test(said) ? [] : [said],
    detail: said.split("\n").find((line) => line.startsWith("Written since")) ?? "",
  });
  const server = await start(version, dataDir);
  const back = await answersOf(server.origin, [...answers.keys()]);
  await send({ origin: server.origin, key }, "/content?limit=1", { method: "GET" });
  await server.stop();
  judge(`${version.name}: back as it was, keys and addresses included`, {
    faults: [...lostRows(rows, readRows(dataDir, rows)), ...changedAnswers(answers, back)],
    detail: `${kept.length} backup beside the store, ${back.size} addresses`,
  });
}

function missingWrites(acknowledged: readonly Acknowledged[], rows: Rows): string[] {
  const items = new Map(
    [...(rows.get("items")?.rows ?? [])].map((row) => {
      const { id, title, path } = JSON.parse(row);
      return [String(id), `${title} ${path}`];
    }),
  );
  return acknowledged
    .filter(({ id, title, path }) => items.get(id) !== `${title} ${path}`)
    .map(({ path }) => path);
}

function judge(what: string, { faults, detail }: { faults: string[]; detail: string }): void {
  const found = `${faults.length} faults, as ${faults[0]}`;
  verdicts.push({
    what,
    passed: faults.length === 0,
    detail: faults.length === 0 ? detail : found,
  });
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
