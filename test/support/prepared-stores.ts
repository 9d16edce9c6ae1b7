import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRecord } from "../../src/storage/record/open.ts";
import { FIXTURE_ORIGIN, fixtureConfig } from "./fixture-config.ts";

/** Set by `npm test`, which makes the stores once for all files. A file that runs alone makes its own. */
const PREPARED = "PREPARED_STORES";

/** Copies a data folder with the fixture site into an empty folder. */
export async function copyFixtureSite(to: string): Promise<void> {
  cpSync(join(await prepared("fixture"), "data"), to, { recursive: true });
}

/** Copies a store with all tables and no site. */
export async function copyEmptyStore(file: string): Promise<void> {
  cpSync(join(await prepared("empty"), "commonplace.db"), file);
}

const KINDS = {
  async fixture(folder: string) {
    const { makeFixtureSite } = await import("./fixture-site.ts");
    await makeFixtureSite(fixtureConfig(join(folder, "data"), null));
  },
  async empty(folder: string) {
    const record = await openRecord({
      file: join(folder, "commonplace.db"),
      origin: FIXTURE_ORIGIN,
    });
    await record.close();
  },
};

type Kind = keyof typeof KINDS;

const own = new Map<Kind, Promise<string>>();

async function prepared(kind: Kind): Promise<string> {
  const shared = process.env[PREPARED];
  if (shared !== undefined) return join(shared, kind);
  const made = own.get(kind) ?? prepareOwn(kind);
  own.set(kind, made);
  return await made;
}

async function prepareOwn(kind: Kind): Promise<string> {
  const folder = temporaryFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await KINDS[kind](folder);
  return folder;
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "commonplace-prepared-"));
}

/** The test runner calls it before it starts the files. */
export async function globalSetup(): Promise<void> {
  const folder = temporaryFolder();
  await KINDS.fixture(join(folder, "fixture"));
  await KINDS.empty(join(folder, "empty"));
  process.env[PREPARED] = folder;
}

/** The test runner calls it after all files. */
export function globalTeardown(): void {
  const folder = process.env[PREPARED];
  if (folder !== undefined) rmSync(folder, { recursive: true });
}
