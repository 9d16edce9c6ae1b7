import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Higher limits would need CAP_SYS_RESOURCE, which an engine may lack. These are enough for one service. */
const LIMITS = ["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"];
/** The settings of the compose file, on the network of this machine. */
const RUN = [
  ...["run", "--network", "host", "--read-only", "--tmpfs", "/tmp"],
  ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", ...LIMITS],
];
/** Only Docker's format has health checks. */
const BUILD = [
  "bud",
  "--format",
  "docker",
  "--isolation",
  "chroot",
  "--layers",
  "--file",
  "deploy/Dockerfile",
  ...LIMITS,
];
/** Long enough for a busy machine. Only builds that hang are ended. */
const BUILD_MILLISECONDS_MAX = 900_000;

export interface Ended {
  status: number | null;
  stdout: string;
  /** The last line gives the reason of a failure. */
  stderr: string;
}

/** Podman and Buildah with separate images, containers and volumes below a folder. */
export class Containers {
  readonly #storage: readonly string[];
  /** The same for programs that call Podman themselves. */
  readonly environment: NodeJS.ProcessEnv;

  constructor(folder: string) {
    const [root, runroot] = [join(folder, "storage"), join(folder, "runroot")];
    this.#storage = ["--root", root, "--runroot", runroot];
    const [storageFile, engineFile] = [join(folder, "storage.conf"), join(folder, "engine.conf")];
    writeFileSync(
      storageFile,
      `[storage]\ndriver = "overlay"\ngraphroot = "${root}"\nrunroot = "${runroot}"\n`,
    );
    const limits = LIMITS.filter((word) => word.includes("="));
    writeFileSync(engineFile, `[containers]\ndefault_ulimits = ${JSON.stringify(limits)}\n`);
    this.environment = {
      CONTAINERS_STORAGE_CONF: storageFile,
      CONTAINERS_CONF: engineFile,
      BUILDAH_ISOLATION: "chroot",
    };
  }

  podman(...words: string[]): Ended {
    // Unlike crun, runc starts containers with both versions of control groups.
    return runToEnd("podman", [...this.#storage, "--runtime", "runc", ...words]);
  }

  run(...words: string[]): Ended {
    return this.podman(...RUN, ...words);
  }

  /** @param context the folder of the project. */
  build(name: string, context: string): Ended {
    return runToEnd("buildah", [...this.#storage, ...BUILD, "--tag", name, "."], context);
  }

  /** Removes all containers. Those of an interrupted build would otherwise leave mounts behind. */
  clear(): void {
    this.podman("rm", "--all", "--force");
    runToEnd("buildah", [...this.#storage, "rm", "--all"]);
  }

  /** Writes an image in the form in which registries store it. */
  export(name: string, folder: string): Ended {
    return runToEnd("buildah", [...this.#storage, "push", "-q", name, `oci:${folder}`]);
  }
}

export function reasonOf({ stderr }: Ended): string {
  return stderr.trim().split("\n").at(-1) ?? "";
}

export function runToEnd(
  program: string,
  words: readonly string[],
  cwd = ".",
  env = process.env,
): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    env,
    encoding: "utf8",
    timeout: BUILD_MILLISECONDS_MAX,
    maxBuffer: 100_000_000,
  });
  return { status, stdout: stdout ?? "", stderr: error === undefined ? stderr : error.message };
}
