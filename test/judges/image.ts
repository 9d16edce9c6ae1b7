import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { freePort } from "../support/free-port.ts";
import { ReleaseFolder } from "../support/release-folder.ts";
import { BaseRegistry } from "./image/base-registry.ts";
import { Containers, type Ended, reasonOf } from "./image/containers.ts";
import { whatIsMissing } from "./missing-programs.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Has a release make the image of `deploy/Dockerfile`, runs it with Podman as the compose file does, and
 * replaces it with a later version, which Buildah builds: `npm run judge:image`. Runs as root on Debian.
 * Passes with a note where the machine does not allow it.
 */
const COMPRESSED_MB_MAX = 120;
const HEALTHY_WITHIN_MS = 120_000;
const IMAGE = "localhost/commonplace";
const VERSION = "1234.5.6";
const LATER_VERSION = "1234.5.7";
const ITEM = { type: "topic", title: "Kept", path: "/topics/kept", status: "published" };

const verdicts: Verdict[] = [];
const missing = whatIsMissing(["buildah", "podman", "skopeo", "runc", "debootstrap"]);
if (missing === null) await judge();
else console.log(`left out: ${missing}`);
process.exitCode = announce(verdicts);

async function judge(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-image-"));
  const containers = new Containers(folder);
  try {
    using registry = await BaseRegistry.open(containers, folder);
    using released = new ReleaseFolder({ ...containers.environment, ...registry.environment });
    if (!judgeRelease(released, containers)) return;
    judgeSize(containers, join(folder, "oci"));
    const tried = containers.run("--rm", IMAGE, "--version");
    if (tried.status !== 0) {
      console.log(`left out: this machine runs no container: ${reasonOf(tried)}`);
      return;
    }
    await judgeRunning(containers, released);
  } finally {
    containers.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgeRelease(released: ReleaseFolder, containers: Containers): boolean {
  const { status, stderr } = released.release(VERSION);
  const [file = ""] = globSync(`dist/release/*-${VERSION}-image-*.tar.gz`, { cwd: released.path });
  // Unlike Docker, Debian's Podman reads no compressed archive.
  const archive = join(released.path, "dist/image.tar");
  if (file !== "") writeFileSync(archive, gunzipSync(readFileSync(join(released.path, file))));
  const loaded = containers.podman("load", "--quiet", "--input", archive);
  containers.podman("tag", `${IMAGE}:${VERSION}`, IMAGE);
  const labels = containers.podman("inspect", "--format", "{{json .Labels}}", IMAGE).stdout;
  const digest = /^ARG BASE=\S+@(sha256:[0-9a-f]{64})$/m.exec(released.read("deploy/Dockerfile"));
  const named = [VERSION, released.git("rev-parse", `v${VERSION}^{}`), digest?.[1] ?? "no digest"];
  const passed =
    status === 0 && loaded.status === 0 && named.every((each) => labels.includes(`"${each}"`));
  verdicts.push({
    what: "a release makes it on a base by digest, and its labels say of what",
    passed,
    detail: passed ? named.join(", ") : `${stderr}${loaded.stderr}${labels}`.slice(-1000),
  });
  return passed;
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

async function judgeRunning(containers: Containers, released: ReleaseFolder): Promise<void> {
  const context = released.path;
  const port = await freePort();
  const settings = ["--volume", "site:/data", "--env", `PORT=${port}`];
  const made = containers.run("--rm", ...settings, IMAGE, "init");
  const item = JSON.stringify(ITEM);
  released.write("kept.jsonl", `${item}\n`);
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
  const changed = JSON.parse(released.read("package.json"));
  released.write("package.json", JSON.stringify({ ...changed, version: LATER_VERSION }));
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
