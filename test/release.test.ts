import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  const folder = new ReleaseFolder();
  after(() => folder[Symbol.dispose]());

  function refuses(version: string, fault: RegExp): void {
    const state = () => [folder.git("rev-parse", "HEAD"), folder.git("tag"), folder.git("status")];
    const before = state();
    const { status, stderr } = folder.release(version);
    assert.equal(status, 1);
    assert.match(stderr, fault);
    assert.deepEqual(state(), before);
  }

  it("without a version", () => {
    for (const version of ["", "1.2", "v1.2.3", "latest"]) refuses(version, /name the version/);
  });

  it("from a tree that is not clean, with the files that differ", () => {
    folder.write("forgotten.txt", "");
    refuses("1.2.3", /the tree is not clean:\n\?\? forgotten\.txt/);
    rmSync(join(folder.path, "forgotten.txt"));
    folder.write("README.md", "Changed");
    refuses("1.2.3", /the tree is not clean:\n ?M README\.md/);
    folder.git("checkout", "--quiet", "README.md");
  });

  it("when its version has a tag", () => {
    folder.git("tag", "v1.2.3");
    refuses("1.2.3", /there is a tag v1\.2\.3 already/);
  });

  it("when the changelog has nothing to say", () => {
    folder.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.0.1\n\n- Old.\n");
    folder.git("commit", "--quiet", "--all", "--message", "Say nothing");
    refuses("1.2.4", /CHANGELOG\.md has nothing under Unreleased/);
    folder.git("reset", "--quiet", "--hard", "HEAD~1");
  });

  it("when the package cannot be made, with what is wrong", () => {
    rmSync(join(folder.path, "tsconfig.package.json"));
    folder.git("commit", "--quiet", "--all", "--message", "Break the package");
    refuses("1.2.4", /tsconfig\.package\.json/);
  });
});
