import { registerHooks } from "node:module";
import type { Plant } from "./plants.ts";

const OWN_TO_EACH = /\/(?:src\/.*|simulate\/(?:instance|operations))\.ts$/;
const COPY = /\?process=(\d+)$/;

const SQLITE = { url: import.meta.resolve("./sqlite.ts"), format: "module-typescript" };

/** The program as a separate process has it loaded: no memory is shared with another process. */
export type LoadedProgram = typeof import("./instance.ts");

/** The fault in each copy of the program, and the files in which it was planted. */
const plantedIn = new Map<number, { plant: Plant | null; files: Set<string> }>();

/**
 * Loads the program once for each process, and changes the text of modules for a planted fault.
 *
 * @throws if the text to replace no longer exists.
 */
export async function loadPrograms(count: number, plant: Plant | null): Promise<LoadedProgram[]> {
  if (plantedIn.size === 0) registerCopies();
  const files = new Set<string>();
  const programs: LoadedProgram[] = [];
  for (let program = 0; program < count; program += 1) {
    const number = plantedIn.size + 1;
    plantedIn.set(number, { plant, files });
    programs.push(await import(`./instance.ts?process=${number}`));
    // The program imports these modules only when it needs them.
    await import(`../../../src/storage/record/postgres/open.ts?process=${number}`);
  }
  await import("standardwebhooks");
  const missing = plant?.changes.find(({ file }) => !files.has(file));
  if (missing !== undefined) throw new Error(`${missing.file} is not part of the program`);
  return programs;
}

function registerCopies(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const [copy] = COPY.exec(context.parentURL ?? "") ?? [];
      if (copy !== undefined && specifier === "node:sqlite") return { ...resolved, ...SQLITE };
      if (copy === undefined || !OWN_TO_EACH.test(resolved.url)) return resolved;
      return { ...resolved, url: `${resolved.url}${copy}` };
    },
    load(url, context, next) {
      const module = next(url, context);
      const { plant, files } = plantedIn.get(Number(COPY.exec(url)?.[1])) ?? {};
      const change = plant?.changes.find(({ file }) => url.includes(`/${file}?`));
      if (change === undefined) return module;
      const source = textOf(module.source);
      if (!source.includes(change.from)) throw new Error(`${change.file} has no "${change.from}"`);
      files?.add(change.file);
      return { ...module, source: source.replace(change.from, change.to) };
    },
  });
}

function textOf(source: unknown): string {
  if (typeof source === "string") return source;
  return source instanceof Uint8Array ? Buffer.from(source).toString() : "";
}
