import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ReleaseFolder } from "../support/release-folder.ts";
import { found } from "../support/until.ts";
import { DockerEngine, imageIn } from "./compose/docker-engine.ts";
import { type Ended, reasonOf } from "./image/containers.ts";
import { whatIsMissing } from "./missing-programs.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Follows the lines at the top of `deploy/compose.yaml` with Docker: builds the image, makes a site and
 * starts it behind Caddy. Then an item is written, a backup is made, and all is stopped and started again:
 * `npm run judge:compose`. Runs as root, and takes ports 80 and 443. Passes with a note where the machine does not allow it.
 */
const DOMAIN = "localhost";
const ANSWERS_WITHIN_MS = 60_000;
const CERTIFICATE = "/data/caddy/pki/authorities/local/root.crt";
const COMMONPLACE = ["node", "bin/commonplace.cjs"];
const ITEM = { type: "topic", title: "Kept", path: "/topics/kept", status: "published" };

const verdicts: Verdict[] = [];
const missing =
  whatIsMissing(["dockerd", "docker", "docker-compose", "debootstrap", "caddy"]) ??
  (await whatIsTaken([80, 443]));
if (missing === null) await judge();
else console.log(`left out: ${missing}`);
process.exitCode = announce(verdicts);

async function judge(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-compose-"));
  try {
    const started = await DockerEngine.start(folder);
    if (typeof started === "string") {
      console.log(`left out: this machine runs no Docker: ${started}`);
      return;
    }
    await using engine = started;
    const base = imageIn("deploy/Dockerfile", /^ARG BASE=(?:docker\.io\/library\/)?([^\s@]+)/m);
    engine.provide({ base, proxy: imageIn("deploy/compose.yaml", /image: (caddy:\S+)/) });
    const view = engine.docker("run", "--rm", base, "npm", "view", "zod", "version");
    if (view.status !== 0) {
      console.log(`left out: containers do not reach npm's registry: ${reasonOf(view)}`);
      return;
    }
    using released = new ReleaseFolder();
    const text = released.read("deploy/compose.yaml");
    // Debian's Compose is older than names in the file.
    released.write("deploy/compose.yaml", text.replace(/^name: .*$/m, ""));
    released.write("deploy/.env", `DOMAIN=${DOMAIN}\n`);
    const compose = (...words: string[]) =>
      engine.run("docker-compose", ["-p", "judged", ...words], join(released.path, "deploy"));
    try {
      await judgeSite(compose);
    } finally {
      compose("down", "--volumes");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns null if the ports are free. */
async function whatIsTaken(ports: readonly number[]): Promise<string | null> {
  for (const port of ports) {
    const probe = createServer().listen(port);
    try {
      await once(probe, "listening");
    } catch (error) {
      return `port ${port} cannot be had: ${error}`;
    }
    await probe[Symbol.asyncDispose]();
  }
  return null;
}

type Compose = (...words: string[]) => Ended;

async function judgeSite(compose: Compose): Promise<void> {
  const inService = (...words: string[]) => compose("exec", "-T", "service", ...words);
  if (!judgeEnded("builds", compose("build"))) return;
  if (!judgeEnded("makes a site", compose("run", "--rm", "service", "init"))) return;
  if (!judgeEnded("starts", compose("up", "-d"))) return;
  judgeAnswer("answers over HTTPS", await ask(compose, "/status.json"), 200);
  // The engine's own proxy closes connections until that port is served, too.
  const plain = await found(() =>
    fetch(`http://${DOMAIN}/about`, { redirect: "manual" }).catch(() => undefined),
  );
  verdicts.push({
    what: "leads to HTTPS",
    passed: plain.status === 308 && plain.headers.get("location") === `https://${DOMAIN}/about`,
    detail: `${plain.status} ${plain.headers.get("location")}`,
  });
  judgeEnded("shows the code for the first account", inService("cat", "/data/setup-code"));
  const refused = inService("touch", "/app/written");
  verdicts.push({
    what: "cannot write outside its volumes",
    passed: refused.status !== 0 && refused.stderr.includes("Read-only file system"),
    detail: reasonOf(refused),
  });
  const words = ["keys", "issue", "--name", "judge", "--scope", "content:write", "--json"];
  const issued = inService(...COMMONPLACE, ...words, "--scope", "content:publish");
  if (!judgeEnded("issues a key", issued)) return;
  const { key } = JSON.parse(issued.stdout);
  const written = await ask(compose, "/api/v1/content", { key: String(key), body: ITEM });
  judgeAnswer("takes an item", written, 201);
  judgeEnded("backs up, and restores it for a trial", inService(...COMMONPLACE, "backup"));
  judgeEnded("stops", compose("down"));
  if (!judgeEnded("starts again", compose("up", "-d"))) return;
  judgeAnswer("still has the item", await ask(compose, ITEM.path), 200);
  const doctor = inService(...COMMONPLACE, "doctor");
  const backup = /^(\w+)\s+Backup: .*$/m.exec(doctor.stdout);
  verdicts.push({
    what: "the doctor knows of the backup",
    passed: backup?.[1] === "good",
    detail: backup?.[0] ?? doctor.stdout.slice(-500),
  });
}

function judgeEnded(what: string, { status, stderr }: Ended): boolean {
  const passed = status === 0;
  // What succeeds may print a code or a key.
  verdicts.push({ what, passed, detail: passed ? "" : stderr.slice(-1000) });
  return passed;
}

function judgeAnswer(what: string, status: number | string, expected: number): void {
  verdicts.push({ what, passed: status === expected, detail: String(status) });
}

interface Sent {
  key: string;
  body: object;
}

/**
 * Sends a request over HTTPS, trusting only the proxy's own authority, until it is answered other than by the
 * proxy itself. @returns the status, or the fault.
 */
async function ask(compose: Compose, path: string, sent?: Sent): Promise<number | string> {
  const begun = performance.now();
  for (;;) {
    const ca = compose("exec", "-T", "proxy", "cat", CERTIFICATE);
    const status = await statusOf(path, ca.stdout, sent).catch(String);
    const isUp = typeof status === "number" && status !== 502;
    if (isUp || performance.now() - begun > ANSWERS_WITHIN_MS) return status;
    await sleep(500);
  }
}

async function statusOf(path: string, ca: string, sent?: Sent): Promise<number> {
  const headers =
    sent === undefined
      ? {}
      : { authorization: `Bearer ${sent.key}`, "content-type": "application/json" };
  const method = sent === undefined ? "GET" : "POST";
  return await new Promise((resolve, reject) => {
    const asked = request(`https://${DOMAIN}${path}`, { ca, method, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.once("error", reject).end(sent === undefined ? "" : JSON.stringify(sent.body));
  });
}
