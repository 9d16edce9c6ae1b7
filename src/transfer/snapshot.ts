import type { Item } from "../content/items/item.ts";
import type { Medium } from "../content/media/media.ts";
import type { SiteProfile } from "../content/site/site.ts";
import type { ContentType } from "../content/types/content-type.ts";

/** An item with the paths of the items it names, by their ids; deleted ones are not among them. */
export interface SnapshotItem {
  item: Item;
  paths: ReadonlyMap<string, string>;
  /** Other paths that lead to it: where it stood before, and addresses of a former site. */
  redirectFrom: readonly string[];
}

/** All content as it is at one moment, whatever is written meanwhile. Dispose of it soon. */
export interface Snapshot extends AsyncDisposable {
  site(): Promise<SiteProfile | null>;
  declaredTypes(): Promise<readonly ContentType[]>;
  /** Items that are not deleted. */
  itemCount(): Promise<number>;
  /**
   * In the order in which they were made, those after an id; deleted ones are left out. Translations
   * come apart from their originals, for these have to be imported first.
   */
  items(
    kind: "originals" | "translations",
    options: { after: string; limit: number },
  ): Promise<readonly SnapshotItem[]>;
  /** In the order of their ids, those after one. */
  media(after: string, limit: number): Promise<readonly Medium[]>;
}
