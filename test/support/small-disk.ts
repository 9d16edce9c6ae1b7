import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Runs a test on a disk of this size. Skips the test without the rights to make one. */
export async function onSmallDisk(
  context: TestContext,
  bytes: number,
  test: (folder: string) => Promise<void>,
): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), "commonplace-small-"));
  try {
    const options = ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", disk];
    execFileSync("mount", options, { stdio: "ignore" });
  } catch {
    rmSync(disk, { recursive: true });
    context.skip("only the superuser can make a small disk");
    return;
  }
  try {
    await test(disk);
  } finally {
    execFileSync("umount", ["-l", disk]);
    rmSync(disk, { recursive: true });
  }
}
