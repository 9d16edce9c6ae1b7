import type { AuditEntry } from "../../../../access/audit.ts";
import type { DigestSettings, DigestStore } from "../../../../access/people/people-stores.ts";
import { queryInSlices } from "../../batches.ts";
import type { Connections } from "../../connections.ts";
import { runChangeWithAudit } from "../audit.ts";
import type { DigestRow } from "./people-rows.ts";

export class KyselyDigestStore implements DigestStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async of(adminId: string): Promise<DigestSettings> {
    const row = await this.#connections.reader
      .selectFrom("digests")
      .selectAll()
      .where("admin_id", "=", adminId)
      .executeTakeFirst();
    return row === undefined ? unset(adminId) : settingsOf(row);
  }

  async ofEach(adminIds: readonly string[]): Promise<DigestSettings[]> {
    const rows = await queryInSlices(
      adminIds,
      async (some) =>
        await this.#connections.reader
          .selectFrom("digests")
          .selectAll()
          .where("admin_id", "in", some)
          .execute(),
    );
    const found = new Map(rows.map((row) => [row.admin_id, settingsOf(row)]));
    return adminIds.map((adminId) => found.get(adminId) ?? unset(adminId));
  }

  async put(settings: DigestSettings, entry: AuditEntry | null): Promise<void> {
    const values = {
      is_on: settings.isOn ? 1 : 0,
      language: settings.language,
      looked_at: settings.checkedAt,
    } as const;
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db
        .insertInto("digests")
        .values({ admin_id: settings.adminId, ...values })
        .onConflict((conflict) => conflict.column("admin_id").doUpdateSet(values))
        .execute(),
    );
  }
}

function unset(adminId: string): DigestSettings {
  return { adminId, isOn: true, language: "", checkedAt: null };
}

function settingsOf({ admin_id, is_on, language, looked_at }: DigestRow): DigestSettings {
  return { adminId: admin_id, isOn: is_on === 1, language, checkedAt: looked_at };
}
