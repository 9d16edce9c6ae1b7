import type { Kysely } from "kysely";
import type { ContentRecord, ContentTransaction } from "../../content/record.ts";
import type { Projection } from "../projection.ts";
import { ContentQueries, DeclaredTypes } from "./content-queries.ts";
import { KyselyContentTransaction } from "./content-transaction.ts";
import type { RecordTables } from "./tables.ts";

export interface ContentConnections {
  /** Sees what is committed. */
  reader: Kysely<RecordTables>;
  /** Runs one transaction at a time. */
  writer: Kysely<RecordTables>;
  projection: Projection;
}

export class KyselyContentRecord extends ContentQueries implements ContentRecord {
  readonly #writer: Kysely<RecordTables>;
  readonly #projection: Projection;
  readonly #declared: DeclaredTypes;

  constructor({ reader, writer, projection }: ContentConnections) {
    const declared = new DeclaredTypes();
    super(reader, declared);
    this.#writer = writer;
    this.#projection = projection;
    this.#declared = declared;
  }

  async write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T> {
    return await this.#writer.transaction().execute(async (db) => {
      const transaction = new KyselyContentTransaction(db, {
        declared: this.#declared,
        projection: this.#projection,
      });
      const result = await change(transaction);
      transaction.finish();
      return result;
    });
  }
}
