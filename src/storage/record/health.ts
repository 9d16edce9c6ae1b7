import type { AuditEntry } from "../../access/audit.ts";
import type { HealthStore, ReportedBadChecks } from "../../health/reporting.ts";
import { writeAuditEntry } from "./access/audit.ts";
import type { Connections } from "./connections.ts";
import { saveSetting } from "./content/setting-rows.ts";

const SETTING_NAME = "health.bad";

/** Stores the health checks that were last reported as bad, in the record's settings. */
export class KyselyHealthStore implements HealthStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async load(): Promise<ReportedBadChecks> {
    const saved = await this.#connections.reader
      .selectFrom("settings")
      .select("value")
      .where("name", "=", SETTING_NAME)
      .executeTakeFirst();
    return saved === undefined ? {} : JSON.parse(saved.value);
  }

  async save(known: ReportedBadChecks, entries: readonly AuditEntry[]): Promise<void> {
    await this.#connections.transact(async (db) => {
      await saveSetting(db, SETTING_NAME, JSON.stringify(known));
      for (const entry of entries) await writeAuditEntry(db, entry);
    });
  }
}
