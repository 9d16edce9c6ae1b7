/** Selects the items whose creators are counted: the items of a given type that link to a given item. */
export interface CreatorQuery {
  /** Path of the item that the links lead to. */
  targetPath: string;
  /** The relation of the links; must be one whose lists mix the items of several creators. */
  relation: string;
  /** The type of the linking items; must be one whose lists show the best items first. */
  type: string;
  limit: number;
}

/**
 * A published creator with the number of its items. An item with several creators counts only for
 * the first creator.
 */
export interface CreatorCount {
  path: string;
  title: string;
  count: number;
}
