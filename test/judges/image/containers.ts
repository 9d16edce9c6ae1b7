import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** More than an engine may raise where it lacks CAP_SYS_RESOURCE; enough for one service. */
const LIMITS = ["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"];
/** As the compose file sets it, on the network of this machine. */
const RUN = [
  ...["run", "--network", "host", "--read-only", "--tmpfs", "/tmp"],
  ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", ...LIMITS],
];
/** Only the format of Docker has health checks. */
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
/** A busy machine takes as long; only what hangs is ended. */
const BUILD_MILLISECONDS_MAX = 900_000;

export interface Ended {
  status: number | null;
  stdout: string;
  /** The last line is the reason of a failure. */
  stderr: string;
}

/** Podman and Buildah, with images, containers and volumes of their own below a folder. */
export class Containers {
  readonly #storage: readonly string[];

  constructor(folder: string) {
    this.#storage = ["--root", join(folder, "storage"), "--runroot", join(folder, "runroot")];
  }

  podman(...words: string[]): Ended {
    // Unlike crun, runc starts containers below both versions of control groups.
    return ended("podman", [...this.#storage, "--runtime", "runc", ...words]);
  }

  run(...words: string[]): Ended {
    return this.podman(...RUN, ...words);
  }

  /** @param context the folder of the project. */
  build(name: string, context: string): Ended {
    return ended("buildah", [...this.#storage, ...BUILD, "--tag", name, "."], context);
  }

  /** Removes all containers, also those of a build that was ended, whose mounts would stay. */
  clear(): void {
    this.podman("rm", "--all", "--force");
    ended("buildah", [...this.#storage, "rm", "--all"]);
  }

  /** Writes an image as registries store it. */
  export(name: string, folder: string): Ended {
    return ended("buildah", [...this.#storage, "push", "-q", name, `oci:${folder}`]);
  }
}

export function reasonOf({ stderr }: Ended): string {
  return stderr.trim().split("\n").at(-1) ?? "";
}

function ended(program: string, words: readonly string[], cwd = "."): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    encoding: "utf8",
    timeout: BUILD_MILLISECONDS_MAX,
    maxBuffer: 100_000_000,
  });
  return { status, stdout: stdout ?? "", stderr: error === undefined ? stderr : error.message };
}
