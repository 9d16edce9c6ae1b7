import { execFile, execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BootedMachine, bootMachine } from "./install/booted-machine.ts";
import { standInForNodejs } from "./install/node-source.ts";
import { whatIsMissing } from "./missing-programs.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Runs `deploy/install.sh` twice in an empty Debian and compares the state, then boots with systemd, where
 * the site must answer over HTTPS with a certificate from Caddy: `npm run judge:install`. Runs as root, with
 * debootstrap and systemd-nspawn. Passes with a note where the machine does not allow it.
 */
const DOMAIN = "quotations.example";
const SUITE = process.argv[2] ?? "bookworm";
const BOOT_MILLISECONDS_MAX = 300_000;
/** Everything that the script may write, with owners, modes and contents. */
const STATE = `cd /; places='etc srv usr/local var/lib/commonplace var/backups'
  find $places -printf '%p %y %m %u %g %l\\n' | sort
  find $places -type f -print0 | sort -z | xargs -0 sha256sum`;

/** A Debian in a folder, and where it gets Node from. */
interface Debian {
  root: string;
  nodeOrigin: string;
}

const verdicts: Verdict[] = [];
const missing = whatIsMissing(["debootstrap", "systemd-nspawn"]);
if (missing === null) await judge();
else console.log(`left out: ${missing}`);
process.exitCode = announce(verdicts);

async function judge(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-install-"));
  const nodeSource = await standInForNodejs(join(folder, "dist"));
  const debian = { root: join(folder, "root"), nodeOrigin: nodeSource.origin };
  try {
    prepareRoot(debian.root);
    const tried = await inRoot(debian, "true");
    if (tried.status !== 0) {
      console.log(`left out: this machine runs no container: ${tried.stderr.trim()}`);
      return;
    }
    const first = await install(debian, "install, in an empty Debian");
    const before = first ? (await inRoot(debian, STATE)).stdout : "";
    const second = await install(debian, "install again");
    const after = (await inRoot(debian, STATE)).stdout;
    verdicts.push({
      what: "the second run changes nothing",
      passed: first && second && before === after && before.includes("srv/commonplace/current"),
      detail: `${before.split("\n").length - 1} files and folders compared`,
    });
    if (first) await judgeBooted(debian);
  } finally {
    nodeSource.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepareRoot(root: string): void {
  execFileSync("npm", ["run", "-s", "package"], { stdio: "ignore" });
  const words = ["--variant=minbase", "--include=systemd,systemd-sysv", SUITE, root];
  execFileSync("debootstrap", words, { stdio: "ignore" });
  writeFileSync(join(root, "etc/dpkg/dpkg.cfg.d/faster"), "force-unsafe-io\n");
  // The file as the Debian installer writes it. Caddy looks up "localhost".
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  cpSync("/etc/resolv.conf", join(root, "etc/resolv.conf"), { dereference: true });
  cpSync("/etc/ssl/certs/ca-certificates.crt", join(root, "root/authorities.crt"));
  const [tarball = ""] = globSync("dist/*.tgz");
  mkdirSync(join(root, "root/release"));
  execFileSync("tar", ["xzf", tarball, "-C", join(root, "root/release")]);
  cpSync(tarball, join(root, "root/release.tgz"));
}

async function install(debian: Debian, what: string): Promise<boolean> {
  const started = performance.now();
  const { status, stdout, stderr } = await inRoot(
    debian,
    `/root/release/package/deploy/install.sh ${DOMAIN} --package /root/release.tgz --yes`,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const passed = status === 0 && stdout.includes("\nDone: ");
  verdicts.push({ what, passed, detail: passed ? `${seconds} s` : stderr.slice(-1000) });
  return passed;
}

/** Waits without blocking this process, which serves the Node archive meanwhile. */
async function inRoot({ root, nodeOrigin }: Debian, script: string) {
  const settings = [
    "--setenv=HOME=/root",
    `--setenv=NODE_SOURCE=${nodeOrigin}`,
    "--setenv=npm_config_cafile=/root/authorities.crt",
  ];
  const words = [
    "-q",
    "--pipe",
    "--register=no",
    "--keep-unit",
    "-D",
    root,
    ...settings,
    "/bin/bash",
    "-c",
    script,
  ];
  const options = { maxBuffer: 100_000_000 };
  return await new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile("systemd-nspawn", words, options, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

async function judgeBooted(debian: Debian): Promise<void> {
  // Changes of an operator must stay, and Caddy must not request a public certificate.
  const local = `f=/etc/caddy/Caddyfile; { printf '{\\n\\tlocal_certs\\n}\\n'; cat $f; } >$f.new; chmod 644 $f.new; mv $f.new $f`;
  await inRoot(debian, local);
  await using machine = await bootMachine(debian.root, BOOT_MILLISECONDS_MAX);
  verdicts.push({ what: "boots with systemd", passed: true, detail: machine.state });
  judgeCommand(
    machine,
    "no unit has failed",
    "systemctl --failed --plain --no-legend | while read -r unit _; do journalctl -o cat -n 8 -u $unit; done | grep . && exit 1; true",
  );
  const request = `curl -sS -o /dev/null -w '%{http_code}' --retry 60 --retry-delay 1 --retry-all-errors \\
    --resolve ${DOMAIN}:443:127.0.0.1 --cacert /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt \\
    https://${DOMAIN}/status.json | grep -x 200`;
  judgeCommand(machine, "answers over HTTPS", request);
  judgeCommand(
    machine,
    "makes a backup by itself",
    "for _ in $(seq 60); do ls /var/backups/commonplace/1 | grep . && exit; sleep 1; done; exit 1",
  );
  judgeCommand(machine, "the doctor finds nothing bad", "commonplace doctor | grep -c ^good");
}

function judgeCommand(machine: BootedMachine, what: string, script: string): void {
  const { status, stdout, stderr } = machine.run(script);
  verdicts.push({ what, passed: status === 0, detail: (stdout + stderr).trim().slice(-500) });
}
