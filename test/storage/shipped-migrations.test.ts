import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { migrate } from "../../src/storage/record/sqlite/migrate.ts";

const RECORD = new URL("../../src/storage/record/", import.meta.url);
const SQLITE = new URL("sqlite/migrations/", RECORD);

/** SHA-256 of every migration that stores were made by. Only ever added to. */
const SHIPPED: Readonly<Record<string, string>> = {
  "sqlite/migrations/001-record.sql":
    "06ce6f90920bcefa5e3a809128b471612c2d3b86dac2fbaf5688896c2c66bff8",
  "sqlite/migrations/002-kept-answers.sql":
    "17c4e6c775b03448fcde2c05a182424eb76dcd4ef6c0126596b61438da8b0aaf",
  "sqlite/migrations/003-use-and-searches.sql":
    "d4aaa1e6a0e6476445fbed6bd02771d5b53ba2c8458dd8c0e1d2e188c74265e9",
  "sqlite/migrations/004-admins.sql":
    "0e5f67e2c38b22d2d030c52fb9fa2dcfdea6e1f671867d4f196eb727a039bc12",
  "sqlite/migrations/005-requests.sql":
    "24963a992f6051d0209c29eda6872fc0c800154c52d185b23b26da9f9e935fd9",
  "sqlite/migrations/006-editing.sql":
    "8cd3fab4b962e2f578810c12dfe0bfa4ffb5ad5e1ed2ae7ff60789beffdc190c",
  "sqlite/migrations/007-media.sql":
    "101707d13111444404f84837c84acf4292ce3131c77d2dddbc9ea8f9efa325e7",
  "sqlite/migrations/008-webhooks.sql":
    "260646825cc0227a99ff4d71e26abdf4e587146ae71c1bb370d5363f777ac8eb",
  "sqlite/migrations/009-jobs.sql":
    "68d3c8c72eeba729f387919b96d11ec1722ba029048ae27238d8991489b6676e",
  "sqlite/migrations/010-revisions.sql":
    "baaabaf0415b1a1399ea3ba3f90f13d33bc3ca6b255eddee5e4fff0d955131e5",
  "sqlite/migrations/012-accepted-requests.sql":
    "a64eff293ae00385ff15ca9a3a682a960c9237c399abb83c6f0f366850194df8",
  "sqlite/migrations/013-site-id.sql":
    "b83e14db4a9b2c9173dbb781032f6c1ff67854cb41af1576f3d78f51d5f7d891",
  "sqlite/migrations/014-item-indexes.sql":
    "697ab439737c3a82863914d76c5fdbc3fee7379139ab0721ed5f0db53e9016c8",
  "sqlite/migrations/015-row-hashes.sql":
    "57de6a75f1ab6c7e837da23ff8f534548ebd78c5d5c0dd3dbc6c17f3e63873e8",
  "sqlite/migrations/016-people.sql":
    "03101a53a945f87ff1b6c5b32a6ad2b825b14a40bd5683f82b7fd6f419d6d3fd",
  "sqlite/migrations/017-keys.sql":
    "1d7241b337870b143a20a4e331c7b9062fdd88c815a204cfecd78eed8ba340ea",
  "sqlite/migrations/018-drafts.sql":
    "0ebc78586c00fc12aa7059221f5c89b11aebc8bebbd1119d3f752c3dd6d40aab",
  "sqlite/migrations/019-item-dates.sql":
    "a6b13c8ce0b0f9faf84335a2834b178a67f3b529e19ebfcc0ecbbd5b0ce7f60b",
  "sqlite/migrations/020-desk-changes.sql":
    "87ebb5f0e80fda60e1c4354666991d037bb3c8346721ffea63958ccde7231b8e",
  "sqlite/migrations/021-private-media.sql":
    "01e190943d07e7eaf911811717b481131b5e57856f8cf95fd9466d5a168c9ced",
  "sqlite/migrations/022-desk-upserts.sql":
    "5161f50e923db639a7cfba9462e0b12d4c3dde25fc54bd0a5f0cd0057a178ae7",
  "sqlite/migrations/023-preview-codes.sql":
    "40f050bf8ac19ded2f79cdc5288f170bbd04548c77deda6aa0704cd2cadd317c",
  "sqlite/migrations/024-presence.sql":
    "2cf15dcc59d3187012020ad861615cc5baf00154d724bd616c20a794fcd26062",
  "sqlite/migrations/025-views.sql":
    "f012f8a0e4e67a5af2439973f4c4c97d9b2f272fd14fc1d328350578aa99cd3a",
  "sqlite/migrations/026-links.sql":
    "dd56dc0c866216a432b7478f99735a057941dbd6cdc5f4443e7d5d59e988edbc",
  "sqlite/migrations/027-draft-notes.sql":
    "3d05ae4a1bb3f8dc6e461708295a252b089f6777e36b4a37b1a8484ca418251b",
  "sqlite/migrations/028-digests.sql":
    "b24b1fba8617794ed1db3494d303ba28b35633b4e3a086754496808bba135166",
  "sqlite/migrations/029-draft-media.sql":
    "a348afab4c572af19c79cf12baf0459b88045ec94f9e4971b9b6f68f8e530c2f",
  "sqlite/migrations/030-item-counts.sql":
    "ff75f13656f0dcff1512e13cfa167de6800e7400a1f7e0acbf4a80f9a6938a6e",
  "sqlite/migrations/031-media-trash.sql":
    "b3f5ce61fb8880889c97c363a20f0065185683d8be9e87227889568c24c18088",
  "sqlite/migrations/032-job-german.sql":
    "650732d7dd7662134ff139d1e459ea6d849595702c8a9819e8ecfdd7791bac62",
  "sqlite/migrations/033-draft-german.sql":
    "c83c23b60e0e240d3d49191ed2fd907e178a4021a85d5a9aba06dca991c5f9fa",
  "sqlite/migrations/034-passkeys.sql":
    "12fb1796e2224c889bd85cc14b8ddcd758aad7af27c628ac9d6e54ce381e2f96",
  "sqlite/migrations/035-type-lists.sql":
    "e77903e163be654cc03e51728fd1cc29ef6d559379ba1685077f67b0a58d41f5",
  "sqlite/migrations/036-draft-reviews.sql":
    "99acf77b54d1944dcf9abdc62017fbe8c8f7bb5e4a9b3a9451a1ba9b9f717234",
  "sqlite/migrations/037-import-bases.sql":
    "1c03db53d4bc09ed70bd686985297288631578bdeca1ac7b0db64396e0e14c32",
  "sqlite/migrations/038-job-interruptions.sql":
    "46a369237c10cc70cad5081ac31cd2572878a3f0035dcc179aa2f6132435e42c",
  "postgres/migrations/001-record.sql":
    "e98ecc343f71300d221a90562b0c26b9480383a012974950508d65e7de7a63bd",
  "postgres/migrations/002-rate-windows.sql":
    "b46293d4c1f976a579fe6a28ad6f399134a630a866b7fd786b5067ebfaa4c69f",
  "postgres/migrations/003-files.sql":
    "7938ea573062cf8f00a06c42de07815895461e894102eb0861034a5f82947d7f",
  "postgres/migrations/004-site-id.sql":
    "864c4c68c57ce1713d60b77549431e5720557919b669399b788b705e8736c7ec",
  "postgres/migrations/005-row-hashes.sql":
    "dc14396d8427f15d41b54438df8f0cbf84b1c0b65da49d2b3a7bf1098e28e706",
  "postgres/migrations/006-people.sql":
    "d094fffc64d9bd7380d35eea1297aefce6bc2536f03e0d42bd7be900255b2e1a",
  "postgres/migrations/007-keys.sql":
    "adc409e0b901f6121a3785ddd5e7fde4e2791ca81308af1f0839418525235c7c",
  "postgres/migrations/008-drafts.sql":
    "2c054f72d0cb6c597f08c02bc22ab191cf8e27ad8de00ccba4adacc91fef7cbf",
  "postgres/migrations/009-item-dates.sql":
    "724daa9e14f71a56fd4e5110432fc1dfe05e520bb8a0e4c142dab9b9963a8c3d",
  "postgres/migrations/010-desk-changes.sql":
    "6e0245f6286ec9b6f4104eb0ba72c485e08e3fcfe25d3bdaf6e605a851dd07e7",
  "postgres/migrations/011-private-media.sql":
    "9968c8567c15d02aa621f30cc2c4a2a41e057b67f909d1946f484662be87efde",
  "postgres/migrations/012-preview-codes.sql":
    "f1f45336aa3b9fc3aa887259f1799235503ff57da9d84f957c1d77b007b217f3",
  "postgres/migrations/013-presence.sql":
    "0b30aa6f3a37cd36603866b58d33861958bc1a8f2e593db6c3992c8efb8877df",
  "postgres/migrations/014-views.sql":
    "cff77564dce39ac5c2a465c0abbb410c4a78819c30f08a54b2729b3acde80401",
  "postgres/migrations/015-links.sql":
    "3c4dedd1141f15fb76f32d307d5e439d943bacbb6c14f782a02d3d0067c6f2d5",
  "postgres/migrations/016-draft-notes.sql":
    "55bf0c054a8a50cb881e3248a9c3af3eaae42a1b2c172ea1b62fb6c3989954e0",
  "postgres/migrations/017-digests.sql":
    "039126721118c36b57f0b6bf704487fac471bb46acf03c8c275791b8709fcc4d",
  "postgres/migrations/018-draft-media.sql":
    "0928b9e148e89d5ad3afc19d98d2efccb8e97c3bfd0005c968d4b59079f17831",
  "postgres/migrations/019-item-counts.sql":
    "0a85fab716f25da584a24b69bbdde9f4c96aed1f62e1c10fe3233e31c4851f8b",
  "postgres/migrations/020-media-trash.sql":
    "03d5d720f422886796bf1ebd246b759860169e4aad5c565e5501d077a806fb78",
  "postgres/migrations/021-job-german.sql":
    "650732d7dd7662134ff139d1e459ea6d849595702c8a9819e8ecfdd7791bac62",
  "postgres/migrations/022-draft-german.sql":
    "c83c23b60e0e240d3d49191ed2fd907e178a4021a85d5a9aba06dca991c5f9fa",
  "postgres/migrations/023-passkeys.sql":
    "2d8e48fc24266ce5cfb69af22b1b75d41a49d62244003646401c8113e04a2754",
  "postgres/migrations/024-type-lists.sql":
    "e77903e163be654cc03e51728fd1cc29ef6d559379ba1685077f67b0a58d41f5",
  "postgres/migrations/025-draft-reviews.sql":
    "99acf77b54d1944dcf9abdc62017fbe8c8f7bb5e4a9b3a9451a1ba9b9f717234",
  "postgres/migrations/026-import-bases.sql":
    "d96ba9d33be499b0015e521af3655b3b1e38824d37eb7c98748af976921a0e07",
  "postgres/migrations/027-job-interruptions.sql":
    "c29214e0999aed3f4b585348eb94082a68e8cc7e000887deb6dc228ad520da26",
};

it("no shipped migration is edited, and each new one is added here", () => {
  const files = ["sqlite", "postgres"].flatMap((engine) =>
    readdirSync(new URL(`${engine}/migrations/`, RECORD)).map(
      (name) => `${engine}/migrations/${name}`,
    ),
  );
  const hashOf = (file: string) =>
    createHash("sha256")
      .update(readFileSync(new URL(file, RECORD)))
      .digest("hex");
  const found = files.map((file) => [file, hashOf(file)]).sort();
  assert.deepEqual(found, Object.entries(SHIPPED).sort());
});

/** Parts of migrations, as they are and as they were when stores were made by them. */
const EDITED: readonly [file: string, now: string, then: string][] = [
  [
    "005-requests.sql",
    "ON mails (state, next_attempt_at)",
    "ON mails (next_attempt_at) WHERE state = 'waiting'",
  ],
  ["006-editing.sql", "ON items (title, id, path, status)", "ON items (title, id)"],
  ["006-editing.sql", "CREATE INDEX items_status ON items (status, updated_at, id);\n", ""],
  ["006-editing.sql", " AND revision > 0", ""],
  [
    "001-record.sql",
    "CREATE TRIGGER audit_stays_whole BEFORE DELETE ON audit\nBEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;\n",
    "",
  ],
];

it("a store made by an earlier text of a migration becomes like one made today", () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-migrations-"));
  try {
    using today = new DatabaseSync(join(folder, "today.db"));
    migrate(today);
    using earlier = new DatabaseSync(join(folder, "earlier.db"));
    earlier.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
    for (const name of readdirSync(SQLITE)
      .sort()
      .filter((file) => file < "013")) {
      earlier.exec(earlierText(name));
      earlier.prepare("INSERT INTO migrations VALUES (?)").run(name);
    }
    assert.notDeepEqual(schemaOf(earlier), schemaOf(today));
    migrate(earlier);
    assert.deepEqual(schemaOf(earlier), schemaOf(today));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function earlierText(name: string): string {
  let text = readFileSync(new URL(name, SQLITE), "utf8");
  for (const [file, now, then] of EDITED) {
    if (file !== name) continue;
    assert(text.includes(now), `${name}: ${now}`);
    text = text.replace(now, then);
  }
  return text;
}

function schemaOf(db: DatabaseSync): Record<string, unknown>[] {
  return db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
}
