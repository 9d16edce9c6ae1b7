import {
  type CopyScope,
  hasTooManySegments,
  isPageInScope,
  isSameSite,
  replaceUrlOrigin,
} from "./copied-addresses.ts";
import type { SiteRules } from "./site-rules.ts";

/** A `list` is a sitemap or a feed. `distance`: number of links from the start, or from a sitemap. */
export interface QueuedUrl {
  url: string;
  kind: "page" | "file" | "list";
  distance: number;
}

/** Addresses that are left out for the same reason: their number, and the first few. */
export interface SkippedUrls {
  count: number;
  addresses: string[];
}

const LISTS_MAX = 200;
/**
 * Limit on `distance`. It ends the crawl of an endless calendar, where every page links to the next
 * page. Pages beyond the limit are found through sitemaps.
 */
const DISTANCE_MAX = 100;
const ADDRESS_CHARACTERS_MAX = 2000;
/**
 * Minimum number of addresses that are remembered, so that no address is requested or counted twice.
 * With a high `addressesMax`, more are remembered.
 */
const SEEN_MIN = 10_000;
const SEEN_PER_REQUEST = 4;
const OTHER_HOST_ADDRESSES_MAX = 10_000;
const ADDRESSES_SHOWN_MAX = 100;

/**
 * The addresses to request, without duplicates. The memory of the queue is bounded, even if a site has
 * very many addresses.
 */
export class CrawlQueue {
  /** The addresses that were left out, keyed by reason. */
  readonly leftOut = new Map<string, SkippedUrls>();
  /** Number of addresses on hosts other than the site's, keyed by host. */
  readonly otherHosts = new Map<string, number>();
  /** Whether a limit excludes addresses that would otherwise be requested. */
  isCut = false;
  readonly #scope: CopyScope;
  readonly #rules: SiteRules;
  readonly #addressesMax: number;
  readonly #queue: QueuedUrl[] = [];
  readonly #seen = new Set<string>();
  readonly #seenOnOtherHosts = new Set<string>();
  #nextIndex = 0;
  #listCount = 0;

  constructor(scope: CopyScope, rules: SiteRules, addressesMax: number) {
    this.#scope = scope;
    this.#rules = rules;
    this.#addressesMax = addressesMax;
  }

  /** Queues an address unless it was seen before or must not be requested. */
  add({ url, kind, distance }: QueuedUrl): void {
    const href = this.#ownAddress(url, kind);
    if (href === null || this.#seen.has(href)) return;
    const limit = this.#limitAgainst(href, kind, distance);
    if (!this.#isFull() && href.length <= ADDRESS_CHARACTERS_MAX) this.#seen.add(href);
    const reason = this.#reasonAgainst(href, kind);
    if (reason !== null) this.leaveOut(href, reason);
    else if (limit !== null) this.#cut(href, limit);
    else {
      if (kind === "list") this.#listCount += 1;
      this.#queue.push({ url: href, kind, distance });
    }
  }

  next(): QueuedUrl | undefined {
    const next = this.#queue[this.#nextIndex];
    if (next !== undefined) this.#nextIndex += 1;
    return next;
  }

  leaveOut(url: string, reason: string): void {
    const leftOut = this.leftOut.get(reason) ?? { count: 0, addresses: [] };
    leftOut.count += 1;
    if (leftOut.addresses.length < ADDRESSES_SHOWN_MAX) {
      leftOut.addresses.push(url.slice(0, ADDRESS_CHARACTERS_MAX));
    }
    this.leftOut.set(reason, leftOut);
  }

  /** Leaves out all addresses that are still queued. */
  stop(reason: string): void {
    for (let next = this.next(); next !== undefined; next = this.next())
      this.#cut(next.url, reason);
    this.isCut = true;
  }

  /**
   * Returns the address to request for a found address. If the found address is on another host, counts
   * it and returns null.
   */
  #ownAddress(url: string, kind: QueuedUrl["kind"]): string | null {
    const address = URL.parse(url);
    if (address === null || !/^https?:$/.test(address.protocol)) return null;
    address.hash = "";
    if (kind === "file") address.search = "";
    if (isSameSite(address.href, this.#scope)) return replaceUrlOrigin(address.href, this.#scope);
    this.#countOtherHost(address);
    return null;
  }

  #reasonAgainst(href: string, kind: QueuedUrl["kind"]): string | null {
    if (hasTooManySegments(href)) return "their paths have too many parts";
    if (kind === "page" && new URL(href).search !== "") return "they have a query";
    if (kind === "page" && !isPageInScope(href, this.#scope)) {
      return `they are not below ${this.#scope.folder}`;
    }
    return this.#rules.allows(href) ? null : "robots.txt forbids it";
  }

  #limitAgainst(href: string, kind: QueuedUrl["kind"], distance: number): string | null {
    if (href.length > ADDRESS_CHARACTERS_MAX) return "they are too long";
    if (this.#isFull()) return "the site names too many others";
    if (this.#queue.length >= this.#addressesMax) return `they are more than ${this.#addressesMax}`;
    if (kind === "list" && this.#listCount >= LISTS_MAX) return "there are too many sitemaps";
    return distance > DISTANCE_MAX ? `they are more than ${DISTANCE_MAX} links away` : null;
  }

  #isFull(): boolean {
    return this.#seen.size >= Math.max(SEEN_MIN, SEEN_PER_REQUEST * this.#addressesMax);
  }

  #cut(url: string, reason: string): void {
    this.isCut = true;
    this.leaveOut(url, reason);
  }

  #countOtherHost({ host, href }: URL): void {
    const isCounted = this.#seenOnOtherHosts.has(href) || href.length > ADDRESS_CHARACTERS_MAX;
    if (isCounted || this.#seenOnOtherHosts.size >= OTHER_HOST_ADDRESSES_MAX) return;
    this.#seenOnOtherHosts.add(href);
    this.otherHosts.set(host, (this.otherHosts.get(host) ?? 0) + 1);
  }
}
