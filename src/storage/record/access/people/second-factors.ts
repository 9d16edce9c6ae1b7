import { z } from "zod";
import type { AuditEntry } from "../../../../access/audit.ts";
import type { SecondFactor, SecondFactorStore } from "../../../../access/people/people-stores.ts";
import type { Connections } from "../../connections.ts";
import { runChangeWithAudit } from "../audit.ts";

const hashesSchema = z.array(z.string());

export class KyselySecondFactorStore implements SecondFactorStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async of(adminId: string): Promise<SecondFactor | null> {
    const row = await this.#connections.reader
      .selectFrom("second_factors")
      .selectAll()
      .where("admin_id", "=", adminId)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      adminId: row.admin_id,
      secret: row.secret,
      confirmedAt: row.confirmed_at,
      lastStep: row.last_step,
      recoveryHashes: hashesSchema.parse(JSON.parse(row.recovery_hashes)),
    };
  }

  async confirmedAmong(adminIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (adminIds.length === 0) return new Set();
    const rows = await this.#connections.reader
      .selectFrom("second_factors")
      .select("admin_id")
      .where("admin_id", "in", adminIds)
      .where("confirmed_at", "is not", null)
      .execute();
    return new Set(rows.map((row) => row.admin_id));
  }

  async put(factor: SecondFactor, entry: AuditEntry | null): Promise<void> {
    const values = {
      secret: factor.secret,
      confirmed_at: factor.confirmedAt,
      last_step: factor.lastStep,
      recovery_hashes: JSON.stringify(factor.recoveryHashes),
    };
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db
        .insertInto("second_factors")
        .values({ admin_id: factor.adminId, ...values })
        .onConflict((conflict) => conflict.column("admin_id").doUpdateSet(values))
        .execute(),
    );
  }

  async remove(adminId: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.deleteFrom("second_factors").where("admin_id", "=", adminId).execute(),
    );
  }
}
