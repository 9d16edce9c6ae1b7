import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface BootedMachine extends AsyncDisposable {
  /** The state that systemd reports. */
  state: string;
  run(script: string): { status: number | null; stdout: string; stderr: string };
}

/**
 * Boots a root file system with systemd-nspawn. It has only a separate loopback network, so its ports are
 * free even if this machine uses the same ones. @throws {Error} if it does not boot.
 */
export async function bootMachine(root: string, milliseconds: number): Promise<BootedMachine> {
  const words = ["-q", "-D", root, "--boot", "--private-network", "--keep-unit", "--register=no"];
  const child = spawn("systemd-nspawn", words, { stdio: "ignore" });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const end = async () => {
    child.kill("SIGTERM");
    await closed;
  };
  const until = Date.now() + milliseconds;
  while (child.exitCode === null && Date.now() < until) {
    const run = (script: string) => inside(child, script);
    const { stdout } = run("systemctl is-system-running");
    const state = stdout.trim();
    if (state === "running" || state === "degraded") {
      return { state, run, [Symbol.asyncDispose]: end };
    }
    await sleep(500);
  }
  await end();
  throw new Error(`systemd does not run in ${root}`);
}

function inside(child: ChildProcess, script: string) {
  const leader = childOf(child.pid ?? 0);
  const path = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const words = ["-t", leader, "-a", "env", path, "bash", "-c", script];
  return spawnSync("nsenter", words, { encoding: "utf8" });
}

/** The first process of the booted machine. */
function childOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0] ?? "";
  } catch {
    return "";
  }
}
