import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { Containers, type Ended, reasonOf } from "./image/containers.ts";
import { writeStandInBase } from "./image/stand-in-base.ts";
import { whatIsMissing } from "./missing-programs.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Builds the image of `deploy/Dockerfile` with Buildah, runs it with Podman as the compose file does, and
 * replaces it with a later version: `npm run judge:image`. Runs as root on Debian. Passes with a note where
 * the machine does not allow it.
 */
const COMPRESSED_MB_MAX = 120;
const HEALTHY_WITHIN_MS = 120_000;
const IMAGE = "localhost/commonplace";
const ITEM = { type: "topic", title: "Kept", path: "/topics/kept", status: "published" };

const verdicts: Verdict[] = [];
const missing = whatIsMissing(["buildah", "podman", "runc", "debootstrap"]);
if (missing === null) await judge();
else console.log(`left out: ${missing}`);
process.exitCode = announce(verdicts);

async function judge(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-image-"));
  const containers = new Containers(folder);
  try {
    haveBase(containers, folder);
    const context = join(folder, "context");
    copyProject(context);
    if (!judgeBuilt(containers.build(IMAGE, context))) return;
    judgeSize(containers, join(folder, "oci"));
    const tried = containers.run("--rm", IMAGE, "--version");
    if (tried.status !== 0) {
      console.log(`left out: this machine runs no container: ${reasonOf(tried)}`);
      return;
    }
    await judgeRunning(containers, context);
  } finally {
    containers.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

function haveBase(containers: Containers, folder: string): void {
  const base = /^FROM (\S+) AS/m.exec(readFileSync("deploy/Dockerfile", "utf8"))?.[1] ?? "";
  const name = `docker.io/library/${base}`;
  const pulled = containers.podman("pull", "-q", name);
  if (pulled.status === 0) return;
  console.log(`${name} cannot be had, a stand-in takes its place: ${reasonOf(pulled)}`);
  const { tar, changes } = writeStandInBase(folder);
  const words = changes.flatMap((change) => ["--change", change]);
  const imported = containers.podman("import", "-q", ...words, tar, name);
  if (imported.status !== 0) throw new Error(reasonOf(imported));
}

/** Copies the project from git, so that the build contains nothing else from this machine. */
function copyProject(context: string): void {
  mkdirSync(context);
  const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
  for (const file of files.filter((each) => each !== "")) cpSync(file, join(context, file));
}

function judgeBuilt(built: Ended): boolean {
  const passed = built.status === 0;
  verdicts.push({ what: "builds", passed, detail: passed ? "" : built.stderr.slice(-1000) });
  return passed;
}

function judgeSize(containers: Containers, folder: string): void {
  const exported = containers.export(IMAGE, folder);
  const sizes = globSync("blobs/sha256/*", { cwd: folder }).map(
    (file) => statSync(join(folder, file)).size,
  );
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  verdicts.push({
    what: `takes ${COMPRESSED_MB_MAX} MB compressed at most`,
    passed: exported.status === 0 && megabytes > 0 && megabytes <= COMPRESSED_MB_MAX,
    detail: `${megabytes.toFixed(1)} MB`,
  });
}

async function judgeRunning(containers: Containers, context: string): Promise<void> {
  const port = await freePort();
  const settings = ["--volume", "site:/data", "--env", `PORT=${port}`];
  const made = containers.run("--rm", ...settings, IMAGE, "init");
  const item = JSON.stringify(ITEM);
  writeFileSync(join(context, "kept.jsonl"), `${item}\n`);
  const source = `${context}/kept.jsonl:/kept.jsonl:ro`;
  const taken = containers.run(
    "--rm",
    ...settings,
    "--volume",
    source,
    IMAGE,
    "import",
    "/kept.jsonl",
  );
  const failed = [made, taken].find(({ status }) => status !== 0);
  verdicts.push({
    what: "makes a site in a volume, read-only and without rights",
    passed: failed === undefined,
    detail: failed === undefined ? "" : reasonOf(failed),
  });
  await judgeServing(containers, {
    settings,
    port,
    image: IMAGE,
    what: "is healthy and serves the site",
  });
  const changed = JSON.parse(readFileSync(join(context, "package.json"), "utf8"));
  writeFileSync(join(context, "package.json"), JSON.stringify({ ...changed, version: "1234.5.6" }));
  const later = `${IMAGE}:later`;
  if (!judgeBuilt(containers.build(later, context))) return;
  await judgeServing(containers, {
    settings,
    port,
    image: later,
    what: "a later version has the data",
  });
}

interface Served {
  settings: readonly string[];
  port: number;
  image: string;
  what: string;
}

async function judgeServing(containers: Containers, { settings, port, image, what }: Served) {
  containers.run("--detach", "--name", "service", ...settings, image);
  const begun = performance.now();
  let healthy = 1;
  while (healthy !== 0 && performance.now() - begun < HEALTHY_WITHIN_MS) {
    await sleep(500);
    healthy = containers.podman("healthcheck", "run", "service").status ?? 1;
  }
  const page = await fetch(`http://127.0.0.1:${port}/topics/kept`).catch(() => null);
  await page?.arrayBuffer();
  const user = containers.podman("exec", "service", "id", "-un").stdout.trim();
  const version = containers.podman("exec", "service", "node", "bin/commonplace.cjs", "--version");
  const stopped = containers.podman("stop", "--time", "20", "service");
  const exit = containers
    .podman("inspect", "--format", "{{.State.ExitCode}}", "service")
    .stdout.trim();
  containers.podman("rm", "--force", "service");
  verdicts.push({
    what,
    passed:
      healthy === 0 &&
      page?.status === 200 &&
      user === "node" &&
      stopped.status === 0 &&
      exit === "0",
    detail: `version ${version.stdout.trim()}, page ${page?.status}, user ${user}, exit ${exit}`,
  });
}
