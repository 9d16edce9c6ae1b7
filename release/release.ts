import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Makes a release from a clean tree: `npm run release -- 1.2.0`. It dates the changelog, commits and
 * tags, and puts the package, the bill of materials, the source (with the recipe of the image) and their
 * checksums into `dist/release`. It pushes and publishes nothing.
 */
const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist/release");
const CHANGED = ["package.json", "package-lock.json", "CHANGELOG.md"];
const HEADING = "## Unreleased\n";

const [version = ""] = process.argv.slice(2);
const fault = versionFault() ?? treeFault() ?? changelogFault();
if (fault === null) makeRelease();
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

function makeRelease(): void {
  try {
    const words = ["version", version, "--no-git-tag-version", "--allow-same-version"];
    execFileSync("npm", words, { cwd: ROOT, stdio: "ignore" });
    const day = new Date().toISOString().slice(0, 10);
    const dated = changelog().replace(HEADING, `${HEADING}\n## ${version} – ${day}\n`);
    writeFileSync(join(ROOT, "CHANGELOG.md"), dated);
    // Standard output is for the list of files.
    execFileSync(process.execPath, [join(ROOT, "release/package.ts")], { stdio: [0, 2, 2] });
    git("commit", "--quiet", "--message", `Release ${version}`, "--", ...CHANGED);
  } catch (error) {
    git("checkout", "--quiet", "HEAD", "--", ...CHANGED);
    throw error;
  }
  git("tag", "--annotate", "--message", `Release ${version}`, `v${version}`);
  for (const file of collectFiles()) process.stdout.write(`${file}\n`);
}

/** @returns what is in `dist/release`. */
function collectFiles(): string[] {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const name = `commonplace-server-${version}`;
  copyFileSync(join(ROOT, `dist/${name}.tgz`), join(OUT, `${name}.tgz`));
  copyFileSync(join(ROOT, "dist/sbom.cdx.json"), join(OUT, `${name}.sbom.cdx.json`));
  const prefix = `--prefix=commonplace-${version}/`;
  const source = join(OUT, `commonplace-${version}-source.tar.gz`);
  git("archive", "--format=tar.gz", prefix, `--output=${source}`, `v${version}`);
  const files = globSync("*", { cwd: OUT }).sort();
  const sums = files.map((file) => `${sha256(join(OUT, file))}  ${basename(file)}\n`);
  writeFileSync(join(OUT, "SHA256SUMS"), sums.join(""));
  return [...files, "SHA256SUMS"].map((file) => join(OUT, file));
}

function changelog(): string {
  return readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();
}
