import type { RedirectInput } from "../content/addresses/redirects.ts";
import type { Item } from "../content/items/item.ts";
import type { MediaFile } from "../content/media/media.ts";
import type { SiteProfile } from "../content/site/site.ts";
import type { ContentType } from "../content/types/content-type.ts";

/** An item. `paths` maps the ids of related items to their paths, without deleted items. */
export interface SnapshotItem {
  item: Item;
  paths: ReadonlyMap<string, string>;
  /** Other paths that lead to the item: its former paths, and addresses of a former site. */
  redirectFrom: readonly string[];
}

/** A consistent view of all content. Holds a transaction open, so dispose of it soon. */
export interface Snapshot extends AsyncDisposable {
  site(): Promise<SiteProfile | null>;
  declaredTypes(): Promise<readonly ContentType[]>;
  /** Number of items that are not deleted. */
  itemCount(): Promise<number>;
  /**
   * All items of one kind, in batches. `present`: the items that are not deleted. Items in the reading
   * copy come first, in the order of the reading copy, which is also the order of lists. `deleted`: the
   * deleted items whose address answers 410.
   */
  items(kind: "present" | "deleted"): AsyncIterable<readonly SnapshotItem[]>;
  /**
   * Redirects that do not lead to an item, by address. A redirect without a target means that its address is
   * gone.
   */
  redirects(): Promise<readonly RedirectInput[]>;
  /** At most `limit` media with ids above `after`, in order of id. */
  media(after: string, limit: number): Promise<readonly MediaFile[]>;
}
