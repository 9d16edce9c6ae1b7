import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { layOutNode } from "../install/node-source.ts";

const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

/** Excluded from Debian's slim images. */
const LEFT_OUT = [
  ...["usr/share/doc", "usr/share/info", "usr/share/man", "usr/share/locale"],
  ...["var/cache/apt", "var/lib/apt/lists"],
];

/**
 * Writes a root file system like that of `node:26-bookworm-slim` as a tar, for machines that cannot reach a
 * registry: Debian, this Node with npm, and the user `node`.
 */
export function writeStandInBase(folder: string): { tar: string; changes: readonly string[] } {
  const root = join(folder, "root");
  const words = ["--variant=minbase", "--include=ca-certificates,libatomic1", "bookworm", root];
  execFileSync("debootstrap", words, { stdio: "ignore", timeout: 900_000 });
  for (const place of LEFT_OUT) rmSync(join(root, place), { recursive: true });
  cpSync(layOutNode(join(folder, "node")), join(root, "usr/local"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  cpSync(AUTHORITIES, join(root, AUTHORITIES), { dereference: true });
  appendFileSync(join(root, "etc/passwd"), "node:x:1000:1000::/home/node:/bin/bash\n");
  appendFileSync(join(root, "etc/group"), "node:x:1000:\n");
  const tar = join(folder, "root.tar");
  execFileSync("tar", ["-C", root, "-cf", tar, "."]);
  return { tar, changes: [`ENV npm_config_cafile=${AUTHORITIES}`] };
}
