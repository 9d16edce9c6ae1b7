import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ReleaseFolder } from "./support/release-folder.ts";

describe("the audit of CI", () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-audit-"));
  after(() => rmSync(folder, { recursive: true }));

  function audit(reply: string, status: number): { status: number | null; stdout: string } {
    const npm = `#!/bin/sh\necho '${reply}'\nexit ${status}\n`;
    writeFileSync(join(folder, "npm"), npm, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    return spawnSync("bash", [".ci/audit"], { env, encoding: "utf8" });
  }

  it("fails with a vulnerability of high severity, not with a registry that has no answer", () => {
    assert.equal(audit('{"auditReportVersion":2}', 0).status, 0);
    const found = audit('{"auditReportVersion":2,"vulnerabilities":{"a":{}}}', 1);
    assert.equal(found.status, 1);
    assert.match(found.stdout, /vulnerabilities/);
    const silent = audit('{"statusCode":405}', 1);
    assert.deepEqual([silent.status, silent.stdout.split(":")[0]], [0, "left out"]);
  });
});

/** What a release consists of is judged with the package: `npm run judge:package`. */
describe("a release is refused, and changes nothing,", () => {
  const programs = mkdtempSync(join(tmpdir(), "commonplace-programs-"));
  const folder = new ReleaseFolder({ PATH: `${programs}:${process.env["PATH"]}` });
  after(() => {
    folder[Symbol.dispose]();
    rmSync(programs, { recursive: true });
  });

  function refuses(words: string[], fault: RegExp): void {
    const state = () => [folder.git("rev-parse", "HEAD"), folder.git("tag"), folder.git("status")];
    const before = state();
    const { status, stderr } = folder.release(...words);
    assert.equal(status, 1);
    assert.match(stderr, fault);
    assert.deepEqual(state(), before);
  }

  it("without a version", () => {
    for (const version of ["", "1.2", "v1.2.3", "latest"]) refuses([version], /name the version/);
  });

  it("from a tree that is not clean, with the files that differ", () => {
    folder.write("forgotten.txt", "");
    refuses(["1.2.3"], /the tree is not clean:\n\?\? forgotten\.txt/);
    rmSync(join(folder.path, "forgotten.txt"));
    folder.write("README.md", "Changed");
    refuses(["1.2.3"], /the tree is not clean:\n ?M README\.md/);
    folder.git("checkout", "--quiet", "README.md");
  });

  it("when its version has a tag", () => {
    folder.git("tag", "v1.2.3");
    refuses(["1.2.3"], /there is a tag v1\.2\.3 already/);
  });

  it("when the changelog has nothing to say", () => {
    folder.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- Old.\n");
    folder.git("commit", "--quiet", "--all", "--message", "Say nothing");
    refuses(["1.2.4"], /CHANGELOG\.md has nothing under Unreleased/);
    folder.git("reset", "--quiet", "--hard", "HEAD~1");
  });

  /** Programs of this machine that answer nothing but this. */
  function standIn(names: string[], script: string): void {
    for (const name of names) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
  }

  it("where the image cannot be made, with what is missing", () => {
    standIn(["podman"], "exit 0");
    standIn(["skopeo"], "exit 127");
    refuses(["1.2.4"], /the image needs skopeo: install it, or .* --without-image/);
  });

  it("when the registry does not say which base is current, with its reason", () => {
    standIn(["podman", "skopeo"], '[ "$1" = --version ] || { echo "no such host" >&2; exit 1; }');
    refuses(["1.2.4"], /does not say which docker\.io\/library\/node:\S+ is current: no such host/);
  });

  it("when the image cannot be built, though its commit was made", () => {
    standIn(["skopeo"], "echo a manifest");
    standIn(["podman"], '[ "$1" = --version ] || { echo "no space left" >&2; exit 1; }');
    refuses(["1.2.4"], /no space left/);
    assert.match(readFileSync(join(folder.path, "dist/package.json"), "utf8"), /"1\.2\.4"/);
  });

  it("when the package cannot be made, with what is wrong", () => {
    rmSync(join(folder.path, "tsconfig.package.json"));
    folder.git("commit", "--quiet", "--all", "--message", "Break the package");
    refuses(["1.2.4", "--without-image"], /tsconfig\.package\.json/);
  });
});
