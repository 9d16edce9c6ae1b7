import type { AuditEntry } from "../access/audit.ts";

/** Used in place of an item's id for links in the site's menus. */
export const MENU_LINKS_ID = "menus";

/**
 * `new`: to be checked. `moved`: permanently redirected. `unsure`: the host refuses automated requests, or
 * has not answered recently.
 */
export const LINK_STATES = ["new", "good", "moved", "broken", "unsure"] as const;

export type LinkState = (typeof LINK_STATES)[number];

/** An address that content links to, with the result of its last check. */
export interface Link {
  /** Absolute URL; for a page of this site, its path. */
  url: string;
  state: LinkState;
  /** HTTP status of the last answer; null: none. */
  status: number | null;
  /** The new address, if the page moved permanently; null: it did not. */
  target: string | null;
  /** The fault, in words; null: none. */
  fault: string | null;
  /** Consecutive failed checks. */
  failures: number;
  /** ISO 8601, UTC; null: not checked yet. */
  checkedAt: string | null;
}

/** The new state of a link, and when it is due for its next check. */
export interface LinkVerdict extends Omit<Link, "url"> {
  dueAt: string;
}

/** A link as found in an item. */
export interface FoundLink {
  url: string;
  /** Host and port; empty for a page of this site, which needs no request. */
  host: string;
  /**
   * Fault of a link within this site, found without a request. Null: no fault, or a link to another
   * site.
   */
  fault: string | null;
}

export interface LinksOfItem {
  /** Id of the item; {@link MENU_LINKS_ID} for the links of the menus. */
  itemId: string;
  links: readonly FoundLink[];
  /** The path of the item. If present, broken links to this path become good. */
  path?: string;
}

/** Progress of the search for links, which goes through all items in rounds. */
export interface LinkSearchProgress {
  /** When the current round began: ISO 8601, UTC. */
  round: string;
  type: string | null;
  after: string | null;
  /** When the current round ended; null: it is still running. */
  endedAt: string | null;
  /**
   * Items that changed before this time were searched again after the round. Absent: no item was searched
   * again.
   */
  changedUpTo?: string;
  /** Targets of the menus' links when they were last searched. */
  menus?: readonly string[];
}

export interface LinkReader {
  /** Lists links sorted by address, starting after the address `after`; null: from the first link. */
  list(query: { state: LinkState; after: string | null; limit: number }): Promise<Link[]>;
  /**
   * The ids of at most `limit` items that contain a link. {@link MENU_LINKS_ID} is the id of the
   * menus.
   */
  itemsWith(url: string, limit: number): Promise<string[]>;
  counts(): Promise<Readonly<Record<LinkState, number>>>;
}

export interface LinkStore extends LinkReader {
  walk(): Promise<LinkSearchProgress | null>;
  /**
   * Stores the links of items and the progress of the search, in one transaction. Removes links
   * that no item contains any longer.
   */
  addFound(found: readonly LinksOfItem[], walk: LinkSearchProgress): Promise<void>;
  /**
   * Removes at most `limit` of the links that the round found in no item. Returns how many were
   * removed.
   */
  removeUnused(round: string, limit: number): Promise<number>;
  /**
   * Makes links due now, with the state `new` until they are checked. Returns the `urls` that are stored as
   * links.
   */
  recheck(urls: readonly string[], entry: AuditEntry): Promise<string[]>;
  /**
   * Claims at most `limit` due links, one for each host to which a request is allowed now. Claims expire:
   * if the process that claimed a link dies, another process checks the link.
   */
  claim(now: Date, limit: number): Promise<Link[]>;
  /** Reserves the next request to a host and returns its time. */
  takeTurn(host: string, now: Date): Promise<Date>;
  pauseHost(host: string, until: Date): Promise<void>;
  settle(link: Link, answer: LinkVerdict): Promise<void>;
}
