import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Answer, answersOf, changedAnswers } from "./upgrade/answers.ts";
import { fillSite, isSignedIn, sendForms } from "./upgrade/filling.ts";
import {
  describeRows,
  EMPTIED_BY_RESTORE,
  lostRows,
  type Rows,
  readRows,
  rowsOf,
} from "./upgrade/rows.ts";
import { checkOut, command, start, startAndKill, type Version } from "./upgrade/version.ts";
import { type Acknowledged, send, writeUntilKilled } from "./upgrade/writing.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Upgrades sites that earlier versions made, with the npm package. Upgrades are killed in the middle,
 * completed, and rolled back: `npm run prove:upgrade -- [COMMIT…]`, in a clone with its history. Every row of
 * every table is compared; `upgrade/rows.ts` lists what is left out, and why.
 */
const COMMITS = ["8db6ecc", "fd4123f", "101e971"];
const KILLS = 4;
const WRITING_MS = 1500;
/** Requests per minute; higher than any machine reaches. */
const RATE = "100000";
const SCOPES = [
  "content:read",
  "content:write",
  "content:publish",
  "mcp:read",
  "media:write",
  "webhooks:manage",
  "admins:manage",
  "audit:read",
  "requests:manage",
  "transfer:run",
];

interface EarlierSite {
  version: Version;
  dataDir: string;
  key: string;
  /** Of a person who is signed in; null: the version has no sessions. */
  cookie: string | null;
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
  const cookie = await fillSite({ origin: written.origin, key });
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
  return { version, dataDir, key, cookie, acknowledged, rows, answers };
}

function addressesIn(rows: Rows): string[] {
  const claimed = [...rowsOf(rows, "path_claims"), ...rowsOf(rows, "redirects")];
  return claimed.map(({ path }) => String(path));
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
  const signedIn = await stillSignedIn(server.origin, site);
  await writeLater({ origin: server.origin, key: site.key });
  await server.stop();
  const after = readRows(dataDir);
  judge(`${version.name}, killed ${KILLS} times and upgraded: no row of any table lost`, {
    faults: lostRows(rows, readRows(dataDir, rows)),
    detail: describeRows(rows),
  });
  judge(`${version.name}: no acknowledged write lost`, {
    faults: missingWrites(site.acknowledged, after),
    detail: `${site.acknowledged.length} acknowledged before the kill`,
  });
  judge(`${version.name}: every address answers as before, with the same text`, {
    faults: changedAnswers(site.answers, answers),
    detail: `${answers.size} addresses`,
  });
  judge(`${version.name}: people stay signed in`, signedIn);
  await rollBack(today, site, after);
}

/** Changes that an operator has to know of who goes back. */
async function writeLater(site: { origin: string; key: string }): Promise<void> {
  const body = { type: "page", path: "/written-later", title: "Later", body: "Later" };
  await send(site, "/content", { method: "POST", body });
  const draft = { type: "page", changes: { title: "Begun later" } };
  await send(site, "/drafts", { method: "POST", body: draft });
  await sendForms(site);
}

async function stillSignedIn(origin: string, { cookie }: EarlierSite) {
  if (cookie === null) return { faults: [], detail: "the version has no sessions" };
  const faults = (await isSignedIn(origin, cookie)) ? [] : ["the session has ended"];
  return { faults, detail: "1 session" };
}

async function rollBack(today: Version, site: EarlierSite, upgraded: Rows): Promise<void> {
  const { version, dataDir, key, rows, answers } = site;
  tell(`${version.name}: goes back`);
  const kept = readdirSync(dataDir).filter((name) => name.startsWith("before-upgrade-"));
  const backup = join(dataDir, kept[0] ?? "none");
  const said = command(today, dataDir, "restore", backup, "--force").trimEnd().split("\n");
  const wanted = writtenSince(rows, upgraded);
  const listed = said.slice(said.findIndex((line) => line.startsWith("Written since")));
  judge(`${version.name}: the way back lists exactly what was written since`, {
    faults:
      listed.join("\n") === wanted.join("\n")
        ? []
        : [`${said.join("\n")}, not ${wanted.join("\n")}`],
    detail: wanted[0] ?? "",
  });
  const server = await start(version, dataDir);
  const back = await answersOf(server.origin, [...answers.keys()]);
  await send({ origin: server.origin, key }, "/content?limit=1", { method: "GET" });
  const signedIn = site.cookie !== null && (await isSignedIn(server.origin, site.cookie));
  await server.stop();
  judge(`${version.name}: back as it was, keys and addresses included, sessions ended`, {
    faults: [
      ...lostRows(rows, readRows(dataDir, rows), EMPTIED_BY_RESTORE),
      ...changedAnswers(answers, back),
      ...(signedIn ? ["a session is open that the restore should have ended"] : []),
    ],
    detail: `${kept.length} backup beside the store, ${back.size} addresses`,
  });
}

/** What the way back must print: what {@link writeLater} did, and the entries that only the upgraded store has. */
function writtenSince(before: Rows, after: Rows): string[] {
  const known = new Set(rowsOf(before, "audit").map(({ number }) => number));
  const entries = rowsOf(after, "audit")
    .filter(({ number }) => !known.has(number))
    .sort((one, other) => Number(one["number"]) - Number(other["number"]));
  const counts = `audited changes: ${entries.length}, messages: 1, requests for keys: 1, drafts: 1`;
  return [
    `Written since the backup, and not in it: ${counts}`,
    ...entries.map(({ at, action, target, actor }) => `  ${at} ${action} ${target} by ${actor}`),
  ];
}

function missingWrites(acknowledged: readonly Acknowledged[], rows: Rows): string[] {
  const items = new Map(
    rowsOf(rows, "items").map(({ id, title, path }) => [String(id), `${title} ${path}`]),
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
