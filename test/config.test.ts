import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readingCopyFilePath, storeFilePath } from "../src/app/data-folder.ts";
import { describeUnknownSettings } from "../src/config/unknown-settings.ts";
import { readConfig, SETTING_NAMES } from "../src/config.ts";

describe("DATABASE_URL", () => {
  for (const url of [
    "postgres://site:s3cret@db.example.org/commonplace",
    "postgresql://a%40b:p%2Fw%20@[::1]:5433/commonplace?sslmode=verify-full&sslrootcert=/etc/db.pem",
    "postgres:///commonplace?host=/var/run/postgresql",
    "postgres://db/commonplace?application_name=site",
  ]) {
    it(`is taken as it is: ${url}`, () => {
      assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
    });
  }

  for (const url of [
    "db.example.org/commonplace",
    "mysql://a:s3cret@b/c",
    "postgres://a:s3cret@b",
    "postgres://a:s3cret@b/",
    "postgres://a:s3cret@b/c/d",
    "postgres://a:s3cret%@b/c",
    "postgres://a:s3cret@/c",
    "postgres://a@b/c?password=s3cret",
    "postgres://a:s3cret@b/c#d",
    "postgres://a:s3cret@b:port/c",
  ]) {
    it(`is refused in words that do not repeat it: ${url.replace("s3cret", "…")}`, () => {
      assert.throws(
        () => readConfig({ DATABASE_URL: url }),
        ({ message }) => {
          assert.match(message, /DATABASE_URL: use postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/);
          return !message.includes("s3cret");
        },
      );
    });
  }

  it("leaves the data folder to what is made from it", () => {
    const alone = readConfig({ DATA_DIR: "d" });
    assert.equal(readingCopyFilePath(alone), storeFilePath(alone));
    const shared = readConfig({ DATA_DIR: "d", DATABASE_URL: "postgres://db/commonplace" });
    assert.equal(readingCopyFilePath(shared), "d/reading.db");
  });
});

describe("METRICS_PORT", () => {
  it("is a port, or none", () => {
    assert.equal(readConfig({}).metricsPort, null);
    assert.equal(readConfig({ METRICS_PORT: "9100" }).metricsPort, 9100);
    assert.throws(() => readConfig({ METRICS_PORT: "x" }), /METRICS_PORT: use a port number/);
    const same = { PORT: "9100", METRICS_PORT: "9100" };
    assert.throws(() => readConfig(same), /METRICS_PORT: use another port than PORT/);
  });
});

describe("the settings of backups", () => {
  const S3 = {
    S3_ENDPOINT: "https://s3.example.org/",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "s3cret/x",
  };

  it("name a time, places and public keys", () => {
    const { backup } = readConfig({
      ...{ BACKUP_AT: "03:30", BACKUP_TO: "/backups, s3://vault/a/b", BACKUP_KEEP: "3" },
      ...{ BACKUP_RECIPIENTS: "age1abc,age1pq1def", ...S3 },
    });
    const s3 = {
      endpoint: "https://s3.example.org",
      region: "us-east-1",
      keyId: "id",
      secret: "s3cret/x",
    };
    const to = ["/backups", "s3://vault/a/b"];
    const recipients = ["age1abc", "age1pq1def"];
    assert.deepEqual(backup, { at: "03:30", to, keep: 3, keepWeekly: 0, recipients, s3 });
  });

  for (const [settings, message] of [
    [{ BACKUP_AT: "03:30" }, /BACKUP_TO: say where backups go/],
    [{ BACKUP_AT: "3:30" }, /BACKUP_AT: give a time of day, such as 03:30/],
    [{ BACKUP_AT: "24:00" }, /BACKUP_AT: give a time of day/],
    [{ BACKUP_TO: "s3://vault" }, /S3_ENDPOINT: .*; S3_ACCESS_KEY_ID: .*; S3_SECRET_ACCESS_KEY: /],
    [{ BACKUP_TO: "s3://vault/a/../b", ...S3 }, /BACKUP_TO: give s3:\/\/BUCKET/],
    [{ ...S3, S3_ENDPOINT: "https://id:s3cret@s3.example.org" }, /S3_ENDPOINT: use the address/],
    [
      { ...S3, S3_ENDPOINT: "http://192.168.1.5:9000" },
      /S3_ENDPOINT: use https:.* replace backups/,
    ],
    [{ ...S3, S3_SECRET_ACCESS_KEY: "s3cret x" }, /S3_SECRET_ACCESS_KEY: use ASCII letters/],
    [{ BACKUP_RECIPIENTS: "AGE-SECRET-KEY-1S3CRET" }, /BACKUP_RECIPIENTS: give public keys of age/],
    [{ BACKUP_KEEP: "0" }, /BACKUP_KEEP: /],
    [
      { BACKUP_AT: "03:30", BACKUP_TO: "/b", DATABASE_URL: "postgres://db/commonplace" },
      /BACKUP_AT: leave it out: a record in PostgreSQL/,
    ],
  ] as const) {
    it(`are refused where they cannot work: ${Object.keys(settings).join(", ")}: ${message}`, () => {
      assert.throws(
        () => readConfig(settings),
        ({ message: said }) => {
          assert.match(said, message);
          return !/s3cret/i.test(said);
        },
      );
    });
  }
});

describe("OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

  it("turns traces on, all of them unless said otherwise", () => {
    assert.equal(readConfig({ OTEL_TRACES_SAMPLER: "always_on" }).traces, null);
    assert.deepEqual(readConfig(endpoint).traces, { sampler: "parentbased_always_on", ratio: 1 });
    const share = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.05" };
    assert.deepEqual(readConfig({ ...endpoint, ...share }).traces, {
      sampler: "traceidratio",
      ratio: 0.05,
    });
  });

  for (const [wrong, message] of [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, /_ENDPOINT: use an absolute http/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "s3cret" }, /_HEADERS: use name=value/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /_PROTOCOL: leave it out: only http\/json/],
    [{ OTEL_TRACES_SAMPLER: "some" }, /_SAMPLER: use one of always_on, /],
    [{ OTEL_TRACES_SAMPLER_ARG: "5" }, /_SAMPLER_ARG: /],
  ] as const) {
    it(`refuses ${Object.entries(wrong).join()}`, () => {
      assert.throws(
        () => readConfig(wrong),
        (error: Error) => message.test(error.message) && !error.message.includes("s3cret"),
      );
    });
  }
});

describe("variables that were meant as settings", () => {
  for (const [name, suggestion] of [
    ["TRUST_PROXYY", "did you mean TRUST_PROXY?"],
    ["BACKUP_ATT", "did you mean BACKUP_AT?"],
    ["DATABASE_URI", "did you mean DATABASE_URL?"],
    ["data-dir", "did you mean DATA_DIR?"],
    ["PROT", "did you mean PORT?"],
    ["OIDC_SECRET", "those with OIDC_ are OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET"],
  ] as const) {
    it(`are named without their value: ${name}`, () => {
      const expected = [`${name} is not a setting; ${suggestion}`];
      assert.deepEqual(describeUnknownSettings({ [name]: "s3cret" }, SETTING_NAMES), expected);
    });
  }

  it("are not the variables of other programs, nor a second spelling of one that is given", () => {
    const others = ["PATH", "HOME", "HOSTNAME", "SORT", "POST", "SMTP_HOST", "S3_BUCKET", "MAILTO"];
    const environment = Object.fromEntries(others.map((name) => [name, "x"]));
    const given = { DATABASE_URL: "x", DATABASE_URI: "x", BACKUP_ATT: "" };
    assert.deepEqual(describeUnknownSettings({ ...environment, ...given }, SETTING_NAMES), []);
  });
});
