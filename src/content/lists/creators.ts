/** Selects the items of a type that link to an item, to count them by creator. */
export interface CreatorQuery {
  /** Path of the item that they link to. */
  path: string;
  /** The relation by which they link; its lists mix creators. */
  relation: string;
  /** A type that is listed best first. */
  type: string;
  limit: number;
}

/** A published creator and the number of items by it. An item counts for its first creator. */
export interface CreatorCount {
  path: string;
  title: string;
  count: number;
}
