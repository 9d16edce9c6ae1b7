import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Containers, reasonOf } from "./containers.ts";
import { writeStandInBase } from "./stand-in-base.ts";

const REGISTRY_FILE = join(import.meta.dirname, "stand-in-registry.ts");

/** Where a release gets the base of the image from: the registry that the Dockerfile names, or a stand-in. */
export class BaseRegistry implements Disposable {
  /** What the programs of a release are given to find it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly #standIn: ChildProcess | null;

  private constructor(environment: NodeJS.ProcessEnv, standIn: ChildProcess | null) {
    this.environment = environment;
    this.#standIn = standIn;
  }

  static async open(containers: Containers, folder: string): Promise<BaseRegistry> {
    const dockerfile = readFileSync("deploy/Dockerfile", "utf8");
    const base = /^ARG BASE=([^\s@]+)/m.exec(dockerfile)?.[1] ?? "";
    const asked = spawnSync("skopeo", ["inspect", "--raw", `docker://${base}`], {
      encoding: "utf8",
    });
    if (asked.status === 0) return new BaseRegistry({}, null);
    console.log(`${base} cannot be had, a stand-in takes its place: ${reasonOf(asked)}`);
    const layout = join(folder, "base");
    layOutBase(containers, folder, layout);
    const standIn = spawn(process.execPath, [REGISTRY_FILE, layout], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [port] = await once(standIn.stdout, "data");
    const home = join(folder, "home");
    mkdirSync(join(home, ".config/containers"), { recursive: true });
    writeFileSync(
      join(home, ".config/containers/registries.conf"),
      registriesFile(base, Number(port)),
    );
    // Skopeo reads no other place that a user may choose.
    return new BaseRegistry({ HOME: home }, standIn);
  }

  [Symbol.dispose](): void {
    this.#standIn?.kill();
  }
}

function layOutBase(containers: Containers, folder: string, layout: string): void {
  const { tar, changes } = writeStandInBase(folder);
  const words = changes.flatMap((change) => ["--change", change]);
  const name = "localhost/stand-in-base";
  const imported = containers.podman("import", "-q", ...words, tar, name);
  if (imported.status !== 0) throw new Error(reasonOf(imported));
  const exported = containers.export(name, layout);
  if (exported.status !== 0) throw new Error(reasonOf(exported));
}

/** See containers-registries.conf(5). */
function registriesFile(base: string, port: number): string {
  const repository = base.replace(/:[^:/]+$/, "");
  return `[[registry]]
prefix = "${repository}"
location = "127.0.0.1:${port}/base"
insecure = true
`;
}
