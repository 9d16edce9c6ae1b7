import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { SETTING_NAMES } from "../src/config.ts";

const DOCKERFILE = readFileSync("deploy/Dockerfile", "utf8");
const UNIT = readFileSync("deploy/commonplace@.service", "utf8");
/** What the programs around the service read. */
const NOT_OURS = [
  "DOMAIN",
  "NODE_ENV",
  "POSTGRES_DB",
  "POSTGRES_PASSWORD",
  "POSTGRES_USER",
  "TRACES",
];

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      command: z.string().optional(),
      volumes: z.array(z.string()),
    }),
  ),
});
const small = composeOf("compose.yaml");
const several = composeOf("compose.several.yaml");
const SERVICES = [...Object.entries(small), ...Object.entries(several)];

function composeOf(file: string) {
  const text = readFileSync(join("deploy", file), "utf8");
  return composeSchema.parse(parse(text, { merge: true })).services;
}

describe("the files of deploy/", () => {
  it("name settings that exist", () => {
    const assigned = (lines: RegExp, source: string) =>
      [...source.matchAll(lines)].flatMap(([, words = ""]) =>
        words.split(" ").map((word) => word.split("=")[0] ?? ""),
      );
    const named = [
      ...assigned(/^ENV (.*)$/gm, DOCKERFILE),
      ...assigned(/^Environment=(.*)$/gm, UNIT),
      ...SERVICES.flatMap(([, { environment }]) => Object.keys(environment)),
    ];
    assert(named.includes("DATABASE_URL"));
    const unknown = named.filter((name) => ![...SETTING_NAMES, ...NOT_OURS].includes(name));
    assert.deepEqual(unknown, []);
  });

  it("make no site by themselves, and say which command does", () => {
    assert.match(DOCKERFILE, /^ENV .*\bDEMO=0\b/m);
    assert.match(UNIT, /^Environment=.*\bDEMO=0\b/m);
    for (const [, { environment, command }] of SERVICES) {
      assert.equal(environment["DEMO"], undefined);
      assert.equal(command, undefined);
    }
    const composed = globSync("compose*.yaml", { cwd: "deploy" });
    for (const file of ["Dockerfile", "commonplace@.service", ...composed]) {
      assert.match(readFileSync(`deploy/${file}`, "utf8"), /^#.* init\b/m, file);
    }
  });

  it("hold no password", () => {
    for (const [name, { environment }] of SERVICES) {
      for (const [setting, value] of Object.entries(environment)) {
        if (!/PASSWORD|URL/.test(setting)) continue;
        assert.match(
          value,
          /^(postgres:\/\/commonplace:|https:\/\/)?\$\{[A-Z_]+/,
          `${name}: ${setting}`,
        );
      }
    }
    assert.doesNotMatch(UNIT, /postgres:\/\//);
  });

  it("have two instances of one image in folders of their own, and a proxy that knows both", () => {
    const { "instance-1": one, "instance-2": two } = several;
    assert(one !== undefined && two !== undefined);
    const { build, ...rest } = one;
    assert(build !== undefined);
    assert.deepEqual({ ...rest, volumes: [] }, { ...two, volumes: [] });
    assert.notDeepEqual(one["volumes"], two["volumes"]);
    for (const file of ["nginx.conf", "Caddyfile"]) {
      const proxy = readFileSync(`deploy/${file}`, "utf8");
      assert.match(proxy, /instance-1:8080[\s\S]*instance-2:8080/, file);
    }
  });
});

it("the small compose file has a proxy and the service, which makes backups, without rights", () => {
  const { proxy, service } = small;
  assert(proxy !== undefined && service !== undefined);
  assert.deepEqual(Object.keys(small).sort(), ["proxy", "service"]);
  const proxied = /^\treverse_proxy (\w+):(\d+)/m.exec(
    readFileSync("deploy/compose.caddy", "utf8"),
  );
  assert.deepEqual(proxied?.slice(1), ["service", /\bPORT=(\d+)/.exec(DOCKERFILE)?.[1]]);
  const folders = service.volumes.map((volume) => volume.split(":")[1] ?? "");
  const { environment } = service;
  assert.match(environment["BACKUP_AT"] ?? "", /^\d\d:\d\d$/);
  assert(folders.some((folder) => environment["BACKUP_TO"] === `\${BACKUP_TO:-${folder}}`));
  for (const folder of folders) {
    // A new volume takes its owner from the image.
    assert.match(
      DOCKERFILE,
      new RegExp(`^RUN mkdir .*${folder}\\b.* chown node:node .*${folder}\\b`, "m"),
    );
  }
  const { read_only, cap_drop, security_opt, image } = service;
  assert.deepEqual(
    { read_only, cap_drop, security_opt, image },
    {
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      image: "commonplace",
    },
  );
});

it("the image has all that the program needs, without tests and history", () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-image-"));
  try {
    const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
      ([, sources = ""]) => sources.split(" "),
    );
    const ignored = readFileSync("deploy/Dockerfile.dockerignore", "utf8");
    assert.match(ignored, /^\*\n/m);
    assert.doesNotMatch(ignored, /^!(?:\.git|test|bench|\*)/m);
    for (const source of copied) {
      assert(existsSync(source), `there is no ${source}`);
      assert(ignored.includes(`!${source}\n`), `the context lacks ${source}`);
      cpSync(source, join(folder, source), { recursive: true });
    }
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const environment = { PATH: process.env["PATH"], DATA_DIR: join(folder, "data") };
    const run = (...words: string[]) =>
      execFileSync(process.execPath, ["bin/commonplace.cjs", ...words], {
        cwd: folder,
        env: environment,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    run("init");
    assert.match(run("keys", "issue", "--name", "A", "--scope", "mcp:read"), /^cpl_/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("an instance without its database is started again, however often", () => {
  assert.match(UNIT, /^Restart=always$/m);
  assert.match(UNIT, /^StartLimitIntervalSec=0$/m);
  for (const [name, { restart }] of SERVICES) assert.equal(restart, "unless-stopped", name);
});

for (const file of ["Caddyfile", "compose.caddy", "one-machine.caddy"]) {
  it(`Caddy takes deploy/${file}`, (context) => {
    if (spawnSync("caddy", ["version"]).error !== undefined)
      return context.skip("Caddy is not here");
    const words = ["validate", "--config", join("deploy", file), "--adapter", "caddyfile"];
    const home = mkdtempSync(join(tmpdir(), "commonplace-caddy-"));
    try {
      const env = { PATH: process.env["PATH"], HOME: home, DOMAIN: "example.org" };
      const { status, stderr } = spawnSync("caddy", words, { encoding: "utf8", env });
      assert.equal(status, 0, stderr);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
}

it("nginx takes the configuration", (context) => {
  if (spawnSync("nginx", ["-v"]).error !== undefined) return context.skip("nginx is not here");
  const folder = mkdtempSync(join(tmpdir(), "commonplace-nginx-"));
  try {
    const site = readFileSync("deploy/nginx.conf", "utf8")
      .replaceAll(/instance-\d:8080/g, "127.0.0.1:8080")
      .replace("listen 443 ssl;", "listen 8443;")
      .replaceAll(/^ {2}ssl_.*$/gm, "");
    const file = join(folder, "nginx.conf");
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    writeFileSync(
      file,
      `pid ${folder}/pid; events {} http { access_log off; ${places.join(" ")}\n${site}\n}`,
    );
    const { status, stderr } = spawnSync(
      "nginx",
      ["-t", "-p", folder, "-e", "stderr", "-c", file],
      {
        encoding: "utf8",
      },
    );
    assert.equal(status, 0, stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("systemd takes the units", (context) => {
  if (spawnSync("systemd-analyze", ["--version"]).error !== undefined) {
    return context.skip("systemd is not here");
  }
  const folder = mkdtempSync(join(tmpdir(), "commonplace-units-"));
  try {
    const units = globSync("*.service", { cwd: "deploy" });
    assert.equal(units.length, 1);
    for (const unit of units) {
      // The programs are elsewhere, or not at all, on this machine.
      const text = readFileSync(join("deploy", unit), "utf8");
      writeFileSync(join(folder, unit), text.replace(/^ExecStart=\S+/gm, "ExecStart=/bin/true"));
    }
    const files = units.map((unit) => join(folder, unit.replace("@.", "@1.")));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...files], {
      encoding: "utf8",
    });
    // It may also say something of units that the machine has.
    const told = stderr.split("\n").filter((line) => line.includes("commonplace"));
    assert.deepEqual([status, told], [0, []]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("the script that installs", () => {
  it("is as shellcheck wants it, with the others", (context) => {
    if (spawnSync("shellcheck", ["--version"]).error !== undefined) {
      return context.skip("shellcheck is not here");
    }
    const scripts = [".ci/run", ".ci/audit", "deploy/install.sh", "deploy/commonplace"];
    const { status, stdout } = spawnSync("shellcheck", scripts, { encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });

  it("refuses what it does not understand, with exit code 2", () => {
    for (const words of [["--force"], ["one.example", "two.example"], ["--package"]]) {
      const { status, stderr } = spawnSync("bash", ["deploy/install.sh", ...words], {
        encoding: "utf8",
      });
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^error: .*\n\nusage: /);
    }
  });

  it("starts what the units and scripts name", () => {
    const program = "/srv/commonplace/current/node_modules/commonplace-server/";
    for (const file of ["commonplace", "commonplace@.service"]) {
      const text = readFileSync(join("deploy", file), "utf8");
      assert(text.includes("/srv/commonplace/node/bin/node"), file);
      assert(text.includes(`${program}bin/commonplace.cjs`), file);
    }
  });
});
