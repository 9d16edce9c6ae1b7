import type { Snapshot, SnapshotItem } from "../../src/transfer/snapshot.ts";

/** All items that are not deleted, in the order of the snapshot. */
export async function itemsInSnapshot(snapshot: Snapshot): Promise<SnapshotItem[]> {
  const items: SnapshotItem[] = [];
  for await (const batch of snapshot.items("present")) items.push(...batch);
  return items;
}
