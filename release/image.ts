import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** The line of the Dockerfile that names the base: with its digest once a release has written it. */
const BASE_LINE = /^ARG BASE=([^\s@]+)(?:@(sha256:[0-9a-f]{64}))?$/m;
const PROGRAMS = ["podman", "skopeo"];
/** The names that Docker has for what Node calls otherwise. */
const PLATFORMS: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

/** What an image is made of. */
export interface ImageSource {
  /** The project's folder. */
  root: string;
  version: string;
  /** The commit of the release, which the image names. */
  commit: string;
}

/** Why this machine makes no images; null: it does. */
export function imageFault(): string | null {
  const missing = PROGRAMS.filter((program) => spawnSync(program, ["--version"]).status !== 0);
  if (missing.length === 0) return null;
  return `the image needs ${missing.join(" and ")}: install ${missing.length === 1 ? "it" : "them"}, or leave the image out with --without-image`;
}

/**
 * Asks the registry for the digest of the base's tag, and writes it into the text of the Dockerfile. An
 * image for several platforms has one digest, from which each of them is built.
 * @throws {Error} if the registry does not answer, or the Dockerfile names no base.
 */
export function pinBase(dockerfile: string): string {
  const [line, name] = baseOf(dockerfile);
  const words = ["inspect", "--raw", `docker://${name}`];
  const { status, stdout, stderr } = spawnSync("skopeo", words, { maxBuffer: MANIFEST_BYTES_MAX });
  if (status !== 0) {
    const reason = stderr?.toString("utf8").trim().split("\n").at(-1) ?? "";
    throw new Error(`the registry does not say which ${name} is current: ${reason}`);
  }
  const digest = createHash("sha256").update(stdout).digest("hex");
  return dockerfile.replace(line, `ARG BASE=${name}@sha256:${digest}`);
}

/**
 * Builds the image for the platform of this machine, and writes it as `docker load` reads it; Podman
 * may want it unpacked. Times in it are those of the commit. @returns the file.
 * @throws {Error} if the image cannot be built.
 */
export async function writeImage(source: ImageSource, dockerfile: string, folder: string) {
  const { root, version, commit } = source;
  const name = `localhost/commonplace:${version}`;
  const time = execFileSync("git", ["show", "--no-patch", "--format=%ct", commit], {
    cwd: root,
    encoding: "utf8",
  });
  const labels = Object.entries(labelsOf(source, dockerfile)).flatMap(([label, value]) => [
    "--label",
    `org.opencontainers.image.${label}=${value}`,
  ]);
  const platform = PLATFORMS[process.arch] ?? process.arch;
  const file = join(folder, `commonplace-${version}-image-linux-${platform}.tar.gz`);
  const place = mkdtempSync(join(tmpdir(), "commonplace-image-"));
  try {
    const context = join(place, "context.tar");
    execFileSync("git", ["archive", `--output=${context}`, commit], { cwd: root });
    execFileSync("tar", ["-xf", context, "-C", place]);
    rmSync(context);
    // Only Docker's format has health checks.
    const words = ["build", "--format", "docker", "--file", "deploy/Dockerfile", "--tag", name];
    podman([...words, "--timestamp", time.trim(), ...labels, "."], place);
    const archive = join(place, "image.tar");
    podman(["save", "--quiet", "--format", "docker-archive", "--output", archive, name], place);
    await pipeline(createReadStream(archive), createGzip({ level: 9 }), createWriteStream(file));
  } finally {
    rmSync(place, { recursive: true });
  }
  return file;
}

/** Where an image comes from, as registries and scanners read it. */
function labelsOf({ version, commit }: ImageSource, dockerfile: string): Record<string, string> {
  const [, name, digest] = baseOf(dockerfile);
  return {
    title: "commonplace",
    version,
    revision: commit,
    licenses: "MIT",
    "base.name": name,
    "base.digest": digest,
  };
}

/** The line, the name with its tag, and the digest; an empty one before the first release. */
function baseOf(dockerfile: string): [line: string, name: string, digest: string] {
  const [line, name, digest = ""] = BASE_LINE.exec(dockerfile) ?? [];
  if (line === undefined || name === undefined) throw new Error("deploy/Dockerfile names no base");
  return [line, name, digest];
}

/** Standard output is for the list of files. */
function podman(words: readonly string[], cwd: string): void {
  execFileSync("podman", words, { cwd, stdio: ["ignore", 2, 2] });
}
