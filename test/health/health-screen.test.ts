import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createServer } from "node:tls";
import { readCertificate } from "../../src/app/health/certificate.ts";
import { saveBackupAttempt, saveLastBackup } from "../../src/storage/backup/last-backup.ts";
import { CONNECTION_REFUSED } from "../../src/webhooks/connection-errors.ts";
import { NO_BACKUPS } from "../support/fixture-config.ts";
import { openPeopleSite } from "../support/people.ts";
import { SELF_SIGNED } from "../support/tls-certificate.ts";

it("the owner sees it on a screen, in German too, and others do not", async () => {
  await using site = await openPeopleSite({ config: { origin: "http://localhost:8080" } });
  const owner = await site.person("anna@example.org", "owner");
  const { text } = await owner.get("/admin/health");
  assert.match(text, /<strong>Backup<\/strong> <span class="tag warn">Look soon<\/span>/);
  assert.match(text, /<strong>Certificate<\/strong> <span class="tag good">/);
  const german = await owner.get("/admin/health", { "Accept-Language": "de" });
  assert.match(german.text, /<h1>Zustand<\/h1>[\s\S]*Es wurde noch keine Sicherung gemacht\./);
  const manager = await site.person("ben@example.org", "manager");
  assert.equal((await manager.get("/admin/health")).status, 403);
});

it("the screen says where the last good backup is, and why a later one failed", async () => {
  const backup = { ...NO_BACKUPS, at: "03:30", to: ["s3://vault"] };
  await using site = await openPeopleSite({ config: { origin: "http://localhost:8080", backup } });
  const { dataDir } = site.app;
  await saveLastBackup(dataDir, { at: "2026-11-19T03:30:00.000Z", place: "s3://vault/one.tar" });
  const fault = { en: "The S3 store answered <403>", de: "Der S3-Speicher antwortete mit <403>" };
  const failed = { at: "2026-11-20T03:30:00.000Z", state: "failed", interruptions: 0 } as const;
  await saveBackupAttempt(dataDir, { ...failed, fault });
  const owner = await site.person("anna@example.org", "owner");
  const { text } = await owner.get("/admin/health");
  assert.match(
    text,
    /The backup of [^:]* 2026[^:]*:\d\d[^:]* failed: The S3 store answered &lt;403&gt;\. The last backup was made on [^<]*: s3:\/\/vault\/one\.tar</,
  );
  assert.match(text, /The server tries again every hour/);
  const german = await owner.get("/admin/health", { "Accept-Language": "de" });
  assert.match(
    german.text,
    /Die Sicherung vom [^<]* ist fehlgeschlagen: Der S3-Speicher antwortete mit &lt;403&gt;\. /,
  );
  const { attempt } = JSON.parse(readFileSync(join(dataDir, "last-backup.json"), "utf8"));
  assert.equal(attempt.fault, fault.en, "as earlier versions read it");
  const earlier = { ...failed, fault: fault.en };
  writeFileSync(join(dataDir, "last-backup.json"), JSON.stringify({ attempt: earlier }));
  const old = await owner.get("/admin/health", { "Accept-Language": "de" });
  assert.match(
    old.text,
    /ist fehlgeschlagen: The S3 store answered &lt;403&gt;/,
    "of an earlier version",
  );
});

it("the screen says that the data folder is gone", async () => {
  await using site = await openPeopleSite({ config: { origin: "http://localhost:8080" } });
  const owner = await site.person("anna@example.org", "owner");
  const { dataDir } = site.app;
  renameSync(dataDir, `${dataDir}-gone`);
  const { status, text } = await owner.get("/admin/health");
  renameSync(`${dataDir}-gone`, dataDir);
  assert.equal(status, 200);
  assert.match(text, /<strong>Disk<\/strong> <span class="tag bad">[\s\S]*folder cannot be found/);
});

describe("the certificate", () => {
  it("is read with its end and what browsers have against it", async () => {
    const server = createServer(SELF_SIGNED, (socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert(address !== null && typeof address !== "string");
    try {
      const origin = `https://localhost:${address.port}`;
      assert.deepEqual(await readCertificate(origin, { milliseconds: 5000 }), {
        kind: "read",
        endsAt: SELF_SIGNED.endsAt,
        fault: {
          en: "no authority that browsers know made it",
          de: "Keine Stelle, die Browser kennen, hat es ausgestellt",
        },
      });
    } finally {
      server.close();
    }
    const gone = await readCertificate(`https://127.0.0.1:${address.port}`, { milliseconds: 5000 });
    assert.deepEqual(gone, { kind: "unread", fault: CONNECTION_REFUSED });
  });

  it("is not asked for where the address has none", async () => {
    const asked = (origin: string) => readCertificate(origin, { milliseconds: 5000 });
    assert.deepEqual(await asked("http://localhost:1"), { kind: "plain", isLocal: true });
    assert.deepEqual(await asked("http://example.org"), { kind: "plain", isLocal: false });
  });
});
