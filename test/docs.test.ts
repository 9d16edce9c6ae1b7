import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";
import { z } from "zod";
import { readConfig, SETTING_NAMES } from "../src/config.ts";
import { DISCOVERY_DOCUMENTS } from "../src/discovery/documents.ts";
import { TOOLS } from "../src/mcp/tools.ts";
import { METRIC_FAMILIES } from "../src/metrics/text.ts";
import { anchorsOf, codeSpansOf, linksOf, rowsOf } from "./support/markdown-documents.ts";

const DOCUMENT_FILES = [...globSync("*.md"), ...globSync("docs/**/*.md")].map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));
const OPERATING = readFileSync("docs/operating.md", "utf8");

const packageFile = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

it("finds the documents", () => {
  const found = DOCUMENT_FILES.map(({ file }) => file);
  for (const file of ["README.md", "ARCHITECTURE.md", "docs/operating.md"]) {
    assert(found.includes(file), `${file} is missing: run the tests from the project's root`);
  }
});

describe("links between documents", () => {
  it("lead to a file, and to a heading in it", () => {
    const broken = DOCUMENT_FILES.flatMap(({ file, text }) =>
      linksOf(text)
        .filter((link) => !leadsSomewhere(file, link))
        .map((link) => `${file}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it("would be noticed if they did not", () => {
    assert.deepEqual(linksOf("[a](gone.md) ![b](gone.png) <https://example.org> `[c](d)`"), [
      "gone.md",
      "gone.png",
    ]);
    assert(!leadsSomewhere("README.md", "gone.md"));
    assert(!leadsSomewhere("README.md", "docs/operating.md#gone"));
    assert(leadsSomewhere("README.md", "docs/operating.md#settings"));
  });
});

describe("what documents name", () => {
  it("exists: files of the project", () => {
    const gone = DOCUMENT_FILES.flatMap(({ file, text }) =>
      codeSpansOf(text)
        .filter((span) => /^(src|test|docs|demo|bin|bench|\.ci)\/[\w./-]+$/.test(span))
        .filter((path) => !existsSync(path))
        .map((path) => `${file}: ${path}`),
    );
    assert.deepEqual(gone, []);
  });

  it("exists: npm scripts", () => {
    const gone = DOCUMENT_FILES.flatMap(({ file, text }) =>
      [...text.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)]
        .map((match) => match[1] ?? "")
        .filter((script) => packageFile.scripts[script] === undefined)
        .map((script) => `${file}: npm run ${script}`),
    );
    assert.deepEqual(gone, []);
  });
});

function flagText(value: boolean): string {
  return value ? "1" : "0";
}

function samplingByDefault() {
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" });
  assert(traces !== null);
  return traces;
}

describe("the operating guide", () => {
  it("has every setting with its default, and no other", () => {
    const rows = rowsOf(OPERATING, "Settings");
    assert.deepEqual(rows.map(([name]) => name).sort(), [...SETTING_NAMES].sort());
    const standard = readConfig({});
    const sampling = samplingByDefault();
    const defaults = Object.fromEntries(rows.map(([name = "", value]) => [name, value]));
    assert.deepEqual(defaults, {
      PORT: String(standard.port),
      HOST: standard.host,
      PUBLIC_URL: "http://HOST:PORT",
      DATA_DIR: standard.dataDir,
      DATABASE_URL: standard.databaseUrl ?? "none",
      DEMO: flagText(standard.demo),
      TRUST_PROXY: flagText(standard.trustProxy),
      SMTP_URL: standard.mail === null ? "none" : "",
      MAIL_FROM: "the contact address of the site",
      WEBHOOK_PRIVATE_NETWORKS: flagText(standard.webhookPrivateNetworks),
      EMBED_URL: standard.embed === null ? "none" : "",
      EMBED_MODEL: "none",
      EMBED_KEY: "none",
      CHECK_LINKS: flagText(standard.checkLinks),
      WORKERS: String(standard.workers),
      OIDC_ISSUER: standard.openId === null ? "none" : "",
      OIDC_CLIENT_ID: "none",
      OIDC_CLIENT_SECRET: "none",
      BACKUP_AT: standard.backup.at ?? "none",
      BACKUP_TO: standard.backup.to.length === 0 ? "none" : "",
      BACKUP_KEEP: String(standard.backup.keep),
      BACKUP_KEEP_WEEKLY: String(standard.backup.keepWeekly),
      BACKUP_RECIPIENTS: standard.backup.recipients.length === 0 ? "none" : "",
      S3_ENDPOINT: standard.backup.s3 === null ? "none" : "",
      S3_REGION: "us-east-1",
      S3_ACCESS_KEY_ID: "none",
      S3_SECRET_ACCESS_KEY: "none",
      METRICS_PORT: String(standard.metricsPort ?? "none"),
      OTEL_EXPORTER_OTLP_ENDPOINT: "none",
      OTEL_EXPORTER_OTLP_HEADERS: "none",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "commonplace",
      OTEL_TRACES_SAMPLER: sampling.sampler,
      OTEL_TRACES_SAMPLER_ARG: String(sampling.ratio),
      DRAIN_SECONDS: String(standard.drainSeconds),
      LOG_LEVEL: standard.logLevel,
    });
  });

  it("has every metric, in the order in which they are told", () => {
    const described = rowsOf(OPERATING, "Metrics").map(([name]) => name);
    assert.deepEqual(
      described,
      METRIC_FAMILIES.map(({ name }) => name),
    );
  });

  it("has every document that is served, and no other", () => {
    const served = DISCOVERY_DOCUMENTS.flatMap(({ paths }) => paths);
    const described = rowsOf(OPERATING, "What it serves").flatMap(([addresses = ""]) =>
      addresses.split(", "),
    );
    assert.deepEqual(described.sort(), [...served].sort());
  });
});

it("the README has every tool, in the order agents see them", () => {
  const described = rowsOf(readFileSync("README.md", "utf8"), "The tools").map(([name]) => name);
  assert.deepEqual(
    described,
    TOOLS.map(({ definition }) => definition.name),
  );
});

it("the guide for contributors names every script that judges, proves or measures", () => {
  const guide =
    readFileSync("CONTRIBUTING.md", "utf8") + readFileSync("docs/performance.md", "utf8");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const missing = Object.keys(scripts)
    .filter((name) => /^(judge|prove|bench|eval):/.test(name))
    .filter((name) => !new RegExp(`npm run (-s )?${name}\\b`).test(guide));
  assert.deepEqual(missing, []);
});

it("the list of decisions has every decision", () => {
  const list = readFileSync("docs/decisions/README.md", "utf8");
  const decisions = globSync("docs/decisions/[0-9]*.md").map((file) =>
    file.slice("docs/decisions/".length),
  );
  assert.deepEqual(linksOf(list).sort(), decisions.sort());
});

function leadsSomewhere(file: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? file : normalize(join(dirname(file), path));
  if (!existsSync(target)) return false;
  if (anchor === undefined || !target.endsWith(".md")) return anchor === undefined;
  return anchorsOf(readFileSync(target, "utf8")).includes(anchor);
}
