import type { RedirectInput } from "../content/addresses/redirects.ts";
import type { Item } from "../content/items/item.ts";
import type { Medium } from "../content/media/media.ts";
import type { SiteProfile } from "../content/site/site.ts";
import type { ContentType } from "../content/types/content-type.ts";

/** An item. `paths` has the path of each related item by that item's id, but not of deleted items. */
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
   * All items of one kind, in batches. `present`: the items that are not deleted. Those in the reading copy
   * come first, in its order, which is also the order of its lists. `deleted`: the deleted items whose
   * address answers 410.
   */
  items(kind: "present" | "deleted"): AsyncIterable<readonly SnapshotItem[]>;
  /**
   * Redirects that do not lead to an item, by address. A redirect without a target means that its address is
   * gone.
   */
  redirects(): Promise<readonly RedirectInput[]>;
  /** At most `limit` media with ids above `after`, in order of id. */
  media(after: string, limit: number): Promise<readonly Medium[]>;
}
