import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { startDemoServer } from "./demo-server.ts";
import { announce, type Verdict } from "./verdict.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const AGENT = "text/markdown, text/html, */*";
const CURL = "*/*";

const server = await startDemoServer();
try {
  process.exitCode = announce([
    ...(await behind("a cache that ignores Vary", carelessCache(server.origin), judgeCareless)),
    ...(await behind("the cache of the guide", documentedCache(server.origin), judgeDocumented)),
  ]);
} finally {
  await server.stop();
}

/** A browser must get HTML only, even if Markdown was requested first. */
async function judgeCareless(origin: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of ["/", "/topics", "/about", "/no-such-page"]) {
    for (const first of [AGENT, CURL]) {
      await typeOf(`${origin}${path}`, first);
      await typeOf(`${origin}${path}`, first);
    }
    const seen = await typeOf(`${origin}${path}`, BROWSER);
    verdicts.push({
      what: `${path}: a browser gets HTML after agents came first`,
      passed: seen.type === "text/html",
      detail: `${seen.type}, ${seen.cache}`,
    });
    const twin = await typeOf(`${origin}${path === "/" ? "/index" : path}.md`, BROWSER);
    verdicts.push({
      what: `${path}: the twin stays Markdown`,
      passed: twin.type === "text/markdown",
      detail: twin.type,
    });
  }
  return verdicts;
}

/** All clients must get the form they requested, and pages must come from the cache. */
async function judgeDocumented(origin: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of ["/", "/topics", "/about"]) {
    const forms = [];
    for (const accept of [BROWSER, AGENT, BROWSER, AGENT]) {
      forms.push(await typeOf(`${origin}${path}`, accept));
    }
    const types = forms.map(({ type }) => type).join(" ");
    verdicts.push({
      what: `${path}: browsers get HTML, agents Markdown`,
      passed: types === "text/html text/markdown text/html text/markdown",
      detail: types,
    });
    verdicts.push({
      what: `${path}: HTML comes out of the cache`,
      passed: forms[2]?.cache === "HIT",
      detail: forms.map(({ cache }) => cache).join(" "),
    });
  }
  return verdicts;
}

async function typeOf(url: string, accept: string): Promise<{ type: string; cache: string }> {
  const answer = await fetch(url, { headers: { accept } });
  await answer.arrayBuffer();
  return {
    type: answer.headers.get("content-type")?.split(";")[0] ?? "",
    cache: answer.headers.get("x-cache") ?? "",
  };
}

function carelessCache(origin: string): string {
  return `proxy_cache_path CACHE keys_zone=careless:10m;
server {
  listen LISTEN;
  location / {
    proxy_pass ${origin};
    proxy_set_header Host $host;
    proxy_ignore_headers Vary;
    proxy_cache careless;
    proxy_cache_key "$host$request_uri";
    add_header X-Cache $upstream_cache_status always;
  }
}`;
}

/** The configuration from the operating guide, with the addresses of this machine. */
function documentedCache(origin: string): string {
  const guide = readFileSync("docs/operating.md", "utf8");
  const block = [...guide.matchAll(/^```nginx\n([\s\S]*?)^```$/gm)]
    .map((match) => match[1] ?? "")
    .find((text) => text.includes("proxy_cache_path"));
  if (block === undefined) throw new Error("docs/operating.md shows no cache for nginx");
  return block
    .replace("listen 443 ssl;", "listen LISTEN; add_header X-Cache $upstream_cache_status always;")
    .replace("server_name example.org;", "server_name 127.0.0.1;")
    .replace("/var/cache/nginx/commonplace", "CACHE")
    .replaceAll("http://127.0.0.1:8080", origin);
}

async function behind(
  name: string,
  configuration: string,
  judge: (origin: string) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-nginx-"));
  const port = await freePort();
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const site = configuration
    .replaceAll("CACHE", `${folder}/cache`)
    .replaceAll("LISTEN", `127.0.0.1:${port}`);
  // As root, nginx runs its workers as `nobody`, who could not write to the folder.
  writeFileSync(
    join(folder, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off; pid ${folder}/pid; error_log stderr warn;
events {}
http { access_log off; ${places.join(" ")}
${site}
}`,
  );
  const nginx = spawn("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  try {
    const origin = `http://127.0.0.1:${port}`;
    await untilListening(origin);
    return (await judge(origin)).map((verdict) => ({
      ...verdict,
      what: `${name}: ${verdict.what}`,
    }));
  } finally {
    nginx.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilListening(origin: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`${origin}/robots.txt`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined) return;
    await wait(50);
  }
  throw new Error(`nginx did not answer at ${origin}`);
}
