import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The files that a release reads. */
const SOURCES = [
  ...["bin", "demo", "deploy", "docs", "release", "src"],
  ...["package.json", "package-lock.json", "tsconfig.json", "tsconfig.package.json"],
  ...globSync("*.md"),
  ...["LICENSE", ".gitignore", ".npmrc"],
];
const CHANGELOG = "# Changelog\n\n## Unreleased\n\n- Something new.\n";
/** A fixed author, whether or not the machine has one configured. */
const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "Test", GIT_AUTHOR_EMAIL: "test@example.org" },
  ...{ GIT_COMMITTER_NAME: "Test", GIT_COMMITTER_EMAIL: "test@example.org" },
};

/** A separate repository with this tree as its only commit, for making releases. */
export class ReleaseFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "commonplace-release-"));
  readonly #environment: NodeJS.ProcessEnv;

  /** @param environment what the release is given besides that of this process. */
  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#environment = { ...process.env, ...AUTHOR, ...environment };
    for (const source of SOURCES) cpSync(source, join(this.path, source), { recursive: true });
    symlinkSync(resolve("node_modules"), join(this.path, "node_modules"));
    this.write("CHANGELOG.md", CHANGELOG);
    this.git("init", "--quiet");
    this.write(".git/info/exclude", "node_modules\n");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "Begin");
  }

  git(...words: string[]): string {
    const options = { cwd: this.path, env: this.#environment, encoding: "utf8" } as const;
    return execFileSync("git", words, options).trim();
  }

  /** Runs the release script. */
  release(...words: string[]): { status: number | null; stderr: string } {
    const options = { cwd: this.path, env: this.#environment, encoding: "utf8" } as const;
    return spawnSync(process.execPath, ["release/release.ts", ...words], options);
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.path, file), text);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
