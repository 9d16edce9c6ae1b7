import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Writes the bill of materials of what runs, in CycloneDX, to `dist/sbom.cdx.json`: `npm run sbom`. It is
 * made of the lock file without what only development needs: `npm sbom --omit dev` also leaves out
 * packages that both need.
 */
const ROOT = join(import.meta.dirname, "..");

/** Licences of packages that name none in the words of SPDX, read from their licence files. */
const LICENCES_READ: Readonly<Record<string, string>> = { duck: "BSD-2-Clause" };

const manifest = read("package.json");
const lock = read("package-lock.json");
for (const each of [manifest, lock.packages[""]]) {
  delete each.devDependencies;
  // The operator's choice, not installed with the program.
  delete each.peerDependencies;
  delete each.peerDependenciesMeta;
}
for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(lock.packages)) {
  if (dev === true) delete lock.packages[path];
}
const folder = mkdtempSync(join(tmpdir(), "commonplace-sbom-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const words = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const bill = JSON.parse(
    execFileSync("npm", words, { cwd: folder, encoding: "utf8", maxBuffer: 50_000_000 }),
  );
  // npm calls the project by the name of its folder.
  bill.metadata.component.name = manifest.name;
  for (const component of bill.components) {
    const id = LICENCES_READ[component.name];
    if (id !== undefined) component.licenses = [{ license: { id } }];
  }
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  writeFileSync(join(ROOT, "dist/sbom.cdx.json"), `${JSON.stringify(bill)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function read(file: string) {
  return JSON.parse(readFileSync(join(ROOT, file), "utf8"));
}
