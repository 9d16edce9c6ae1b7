import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readingFile, storeFile } from "../src/app/data-folder.ts";
import { readConfig } from "../src/config.ts";

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
    assert.equal(readingFile(alone), storeFile(alone));
    const shared = readConfig({ DATA_DIR: "d", DATABASE_URL: "postgres://db/commonplace" });
    assert.equal(readingFile(shared), "d/reading.db");
  });
});

describe("METRICS_PORT", () => {
  it("is a port, or none", () => {
    assert.equal(readConfig({}).metricsPort, null);
    assert.equal(readConfig({ METRICS_PORT: "9100" }).metricsPort, 9100);
    assert.throws(() => readConfig({ METRICS_PORT: "x" }), /METRICS_PORT: use a port number/);
  });
});
