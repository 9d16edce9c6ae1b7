import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { imageFault, pinBase, writeImage } from "./image.ts";

/**
 * Makes a release from a clean tree: `npm run release -- 1.2.0`. It dates the changelog, writes the digest
 * of the image's base into the Dockerfile, commits and tags, and puts the package, the bill of materials,
 * the source, the image and their checksums into `dist/release`. A release that fails leaves the tree as it
 * was. It pushes and publishes nothing. `--without-image` leaves out the image and the digest.
 */
const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist/release");
const DOCKERFILE = "deploy/Dockerfile";
const CHANGED = ["package.json", "package-lock.json", "CHANGELOG.md", DOCKERFILE];
const HEADING = "## Unreleased\n";

const { positionals, values } = parseArgs({
  options: { "without-image": { type: "boolean", default: false } },
  allowPositionals: true,
});
const [version = ""] = positionals;
const hasImage = !values["without-image"];
const fault = versionFault() ?? treeFault() ?? changelogFault() ?? (hasImage ? imageFault() : null);
if (fault === null) await makeRelease();
else {
  process.stderr.write(`error: ${fault}\n`);
  process.exitCode = 1;
}

function versionFault(): string | null {
  if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version)) return "name the version, as 1.2.0";
  const tags = git("tag", "--list", `v${version}`);
  return tags === "" ? null : `there is a tag v${version} already`;
}

function treeFault(): string | null {
  const changes = git("status", "--porcelain");
  return changes === "" ? null : `the tree is not clean:\n${changes}`;
}

function changelogFault(): string | null {
  const [, unreleased = ""] = changelog().split(HEADING);
  const [notes = ""] = unreleased.split(/^## /m);
  return notes.trim() === "" ? "CHANGELOG.md has nothing under Unreleased" : null;
}

async function makeRelease(): Promise<void> {
  const before = git("rev-parse", "HEAD");
  try {
    const words = ["version", version, "--no-git-tag-version", "--allow-same-version"];
    execFileSync("npm", words, { cwd: ROOT, stdio: "ignore" });
    const day = new Date().toISOString().slice(0, 10);
    write("CHANGELOG.md", changelog().replace(HEADING, `${HEADING}\n## ${version} – ${day}\n`));
    if (hasImage) write(DOCKERFILE, pinBase(read(DOCKERFILE)));
    // Standard output is for the list of files.
    execFileSync(process.execPath, [join(ROOT, "release/package.ts")], { stdio: [0, 2, 2] });
    git("commit", "--quiet", "--message", `Release ${version}`, "--", ...CHANGED);
    for (const file of await makeFiles()) process.stdout.write(`${file}\n`);
    git("tag", "--annotate", "--message", `Release ${version}`, `v${version}`);
  } catch (error) {
    git("reset", "--quiet", "--soft", before);
    git("checkout", "--quiet", "HEAD", "--", ...CHANGED);
    throw error;
  }
}

/** @returns what is in `dist/release`. */
async function makeFiles(): Promise<string[]> {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const name = `commonplace-server-${version}`;
  copyFileSync(join(ROOT, `dist/${name}.tgz`), join(OUT, `${name}.tgz`));
  copyFileSync(join(ROOT, "dist/sbom.cdx.json"), join(OUT, `${name}.sbom.cdx.json`));
  const prefix = `--prefix=commonplace-${version}/`;
  const source = join(OUT, `commonplace-${version}-source.tar.gz`);
  git("archive", "--format=tar.gz", prefix, `--output=${source}`, "HEAD");
  if (hasImage) {
    const commit = git("rev-parse", "HEAD");
    await writeImage({ root: ROOT, version, commit }, read(DOCKERFILE), OUT);
  }
  const files = globSync("*", { cwd: OUT }).sort();
  const sums = files.map((file) => `${sha256(join(OUT, file))}  ${basename(file)}\n`);
  writeFileSync(join(OUT, "SHA256SUMS"), sums.join(""));
  return [...files, "SHA256SUMS"].map((file) => join(OUT, file));
}

function changelog(): string {
  return read("CHANGELOG.md");
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function write(file: string, text: string): void {
  writeFileSync(join(ROOT, file), text);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
}
