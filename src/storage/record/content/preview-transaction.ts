import type { Item } from "../../../content/items/item.ts";
import { extractMediaPathsById } from "../../../content/media/media-kinds.ts";
import type { Redirect } from "../../../content/record.ts";
import { queryInSlices } from "../batches.ts";
import { KyselyContentTransaction } from "./content-transaction.ts";
import type { ItemWrite } from "./item-writes.ts";
import { mediaFileFromRow } from "./media-rows.ts";

/**
 * A transaction whose changes reach the projection but are never stored. Use it in a
 * `ContentBatch`, whose reads include its own writes.
 */
export class PreviewTransaction extends KyselyContentTransaction {
  protected override async store(writes: readonly ItemWrite[]): Promise<void> {
    await this.#projectMediaOf(writes.map(({ item }) => item));
  }

  override async putRedirect(redirect: Redirect): Promise<void> {
    this.projection.putRedirect(redirect);
  }

  override async removeRedirect(redirect: Redirect): Promise<void> {
    const { displacedId } = redirect;
    const displaced = displacedId === null ? null : await this.item(displacedId);
    this.projection.removeRedirect(redirect, displaced);
  }

  async #projectMediaOf(items: readonly Item[]): Promise<void> {
    const published = items.filter(({ status }) => status === "published");
    const ids = new Set(published.flatMap((item) => [...extractMediaPathsById(item).keys()]));
    const rows = await queryInSlices(
      [...ids],
      async (some) =>
        await this.db.selectFrom("media").selectAll().where("id", "in", some).execute(),
    );
    for (const row of rows) this.projection.putMedium(mediaFileFromRow(row));
  }
}
