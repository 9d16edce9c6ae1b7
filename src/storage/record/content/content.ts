import type { ContentRecord, ContentTransaction } from "../../../content/record.ts";
import type { Projection } from "../../projection.ts";
import { renderLargeTextsFirst } from "../../reading/rendering/render-large-texts-first.ts";
import type { Connections } from "../connections.ts";
import { ContentQueries, type SettingsCache } from "./content-queries.ts";
import { KyselyContentTransaction } from "./content-transaction.ts";

interface ContentParts extends Connections {
  projection: Projection;
  declared: SettingsCache;
}

export class KyselyContentRecord extends ContentQueries implements ContentRecord {
  readonly #parts: ContentParts;

  constructor(parts: ContentParts) {
    super(parts.reader, parts.declared);
    this.#parts = parts;
  }

  async write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T> {
    return await renderLargeTextsFirst(() =>
      this.#parts.transact(async (db) => {
        const transaction = new KyselyContentTransaction(db, this.#parts);
        const result = await change(transaction);
        transaction.finish();
        return result;
      }),
    );
  }
}
