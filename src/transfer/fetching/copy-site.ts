import { AppError } from "../../errors.ts";
import {
  type CopyScope,
  createCopyScope,
  fileNameOfPage,
  fileNameOfUrl,
  isNameReservedByImport,
  isSameSite,
  pageKey,
  replaceUrlOrigin,
} from "./copied-addresses.ts";
import type { CopyCounts, CopyReport } from "./copy-report.ts";
import { CrawlQueue, type QueuedUrl } from "./crawl-queue.ts";
import { type FirstPage, fetchFirstPage } from "./first-page.ts";
import { extractUrlsFromPage, extractUrlsFromXml } from "./found-addresses.ts";
import { decodePageText, removeOriginFromUrls } from "./page-text.ts";
import { findRedirectLoops } from "./redirect-loops.ts";
import { type CacheValidators, decodeResponseText, type PageResponse } from "./request-page.ts";
import { type PoliteRequester, requestPolitely } from "./request-politely.ts";
import { withSitePauses } from "./site-rules.ts";
import { findRestRootUrl } from "./wordpress/rest-address.ts";

/**
 * The outcome for an address. The copy has a file for the address, or the address redirects, or it is
 * gone.
 */
export interface UrlCopyOutcome extends CacheValidators {
  url: string;
  file?: string;
  isPage?: boolean;
  leadsTo?: string;
  /** An earlier copy had the address, but the site no longer has it. */
  isGone?: boolean;
}

/** The storage of a copy. */
export interface SiteCopyStore {
  /** The latest outcome for an address, in this or an earlier copy. */
  known(url: string): UrlCopyOutcome | undefined;
  /**
   * Whether the latest outcome for an address is from this copy, even if this copy was interrupted
   * since then.
   */
  isOfThisCopy(url: string): boolean;
  /** Addresses that have a file from an earlier copy, but no outcome in this copy yet. */
  earlierFiles(): UrlCopyOutcome[];
  /** Validators for a conditional request of an address's file; empty if the file is not in the folder. */
  validators(url: string): Promise<CacheValidators>;
  read(file: string): Promise<Uint8Array | null>;
  /**
   * Stores an outcome. `content` is the content of the outcome's file; null if there is no file, or the
   * file is unchanged. Removes the file of the earlier outcome, unless the new outcome has the same
   * file.
   */
  put(copied: UrlCopyOutcome, content: Uint8Array | null): Promise<void>;
}

export interface SiteCopyDependencies extends PoliteRequester {
  store: SiteCopyStore;
  addressesMax: number;
  onProgress?(counts: CopyCounts): void;
}

type Content = Extract<PageResponse, { kind: "content" }>;

/** The copy ends after this many consecutive addresses without an answer. */
const UNANSWERED_MAX = 10;
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);
const UNUSABLE_TYPE = /^(?:text\/css|(?:application|text)\/(?:\S*\+)?(?:javascript|json|xml))\b/i;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * Copies the pages of a live site and the files that they name, one request at a time. Finds pages through
 * sitemaps, feeds and links, and obeys robots.txt.
 *
 * @throws {AppError} `invalid` if the site cannot be fetched or its robots.txt cannot be read.
 */
export async function copySite(start: string, parts: SiteCopyDependencies): Promise<CopyReport> {
  const { store } = parts;
  const first = await fetchFirstPage(start, parts, async (url, requests) => {
    const isCopied = store.known(url)?.file !== undefined && store.isOfThisCopy(url);
    return isCopied ? null : await requestPolitely(url, await store.validators(url), requests);
  });
  const scope = createCopyScope(first.url);
  const { rules } = first;
  const queue = new CrawlQueue(scope, rules, parts.addressesMax);
  const named = rules.sitemaps.map((url) => addressIfSameSite(url, scope));
  const sitemaps = named.length > 0 ? named : [new URL("/sitemap.xml", scope.origin).href];
  for (const url of sitemaps) queue.add({ url, kind: "list", distance: 0 });
  queue.add({ url: first.url, kind: "page", distance: 0 });
  const requests = withSitePauses(parts, rules);
  return await new SiteCopy({ scope, queue, first }, { ...parts, ...requests }).run();
}

/** One crawl of a site. */
class SiteCopy {
  readonly #scope: CopyScope;
  readonly #queue: CrawlQueue;
  readonly #first: FirstPage;
  readonly #parts: SiteCopyDependencies;
  /** The keys of copied pages, so that no page is copied from two addresses. */
  readonly #pageKeys = new Set<string>();
  readonly #redirects = new Map<string, string>();
  readonly #counts = { pages: 0, files: 0, redirects: 0, unchanged: 0 };
  readonly #failed: CopyReport["failed"] = [];
  readonly #gone: string[] = [];
  #isWordPress = false;
  #unansweredInRow = 0;

  constructor(
    { scope, queue, first }: { scope: CopyScope; queue: CrawlQueue; first: FirstPage },
    parts: SiteCopyDependencies,
  ) {
    this.#scope = scope;
    this.#queue = queue;
    this.#first = first;
    this.#parts = parts;
  }

  async run(): Promise<CopyReport> {
    await this.#copyQueued();
    if (!this.#isStopped()) {
      // Adds the remaining addresses of the earlier copy. A page may still exist although no page links
      // to it any longer.
      for (const { url, isPage } of this.#parts.store.earlierFiles()) {
        this.#queue.add({ url, kind: isPage === true ? "page" : "file", distance: 0 });
      }
      await this.#copyQueued();
    }
    for (const url of findRedirectLoops(this.#redirects))
      this.#fail(url, "It redirects in a circle");
    const { leftOut, otherHosts, isCut } = this.#queue;
    return {
      ...this.#counts,
      ...{ failed: this.#failed, gone: this.#gone, leftOut, otherHosts, isCut },
      ...{ isStopped: this.#isStopped(), isWordPress: this.#isWordPress },
    };
  }

  async #copyQueued(): Promise<void> {
    for (let next = this.#queue.next(); next !== undefined; next = this.#queue.next()) {
      if (next.kind === "list") await this.#readList(next.url);
      else await this.#copy(next);
      this.#parts.onProgress?.(this.#counts);
      if (this.#isStopped()) this.#queue.stop("the host no longer answers");
    }
  }

  async #readList(url: string): Promise<void> {
    const answer = await requestPolitely(url, {}, this.#parts);
    // A missing sitemap is not a fault.
    if (answer.kind !== "content") return;
    const { pages, sitemaps } = extractUrlsFromXml(decodeResponseText(answer.bytes) ?? "");
    for (const sitemap of sitemaps) this.#queue.add({ url: sitemap, kind: "list", distance: 0 });
    for (const page of pages) this.#queue.add({ url: page, kind: "page", distance: 0 });
  }

  async #copy(queued: QueuedUrl): Promise<void> {
    const { url, kind } = queued;
    const { store } = this.#parts;
    const known = store.known(url);
    const isOfThisCopy = store.isOfThisCopy(url);
    if (kind === "page" && this.#pageKeys.has(pageKey(url))) {
      if (known?.file !== undefined && !isOfThisCopy) await store.put({ url, isGone: true }, null);
      return;
    }
    if (known !== undefined && isOfThisCopy) return await this.#reuse(known, queued);
    const answer = await this.#answerTo(url);
    const isUnanswered = answer.kind === "wait" || (answer.kind === "missing" && !answer.status);
    this.#unansweredInRow = isUnanswered ? this.#unansweredInRow + 1 : 0;
    await this.#keep(answer, known, queued);
  }

  async #keep(
    answer: PageResponse,
    known: UrlCopyOutcome | undefined,
    queued: QueuedUrl,
  ): Promise<void> {
    const { url } = queued;
    const { store } = this.#parts;
    if (answer.kind === "unchanged" && known !== undefined) {
      this.#counts.unchanged += 1;
      await store.put(known, null);
      await this.#reuse(known, queued);
    } else if (answer.kind === "moved") {
      await this.#redirect(queued, answer.to);
    } else if (answer.kind === "content") {
      await this.#storeIfNameable(queued, answer);
    } else if (answer.kind === "missing" && GONE_STATUSES.has(answer.status) && known?.file) {
      await store.put({ url, isGone: true }, null);
      this.#gone.push(url);
    } else {
      this.#fail(url, answer.kind === "missing" ? answer.fault : "The host asks to be left alone");
    }
  }

  async #answerTo(url: string): Promise<PageResponse> {
    const firstAnswer = url === this.#first.url ? this.#first.answer : null;
    if (firstAnswer !== null) return firstAnswer;
    return await requestPolitely(url, await this.#parts.store.validators(url), this.#parts);
  }

  #isStopped(): boolean {
    return this.#unansweredInRow >= UNANSWERED_MAX;
  }

  #fail(url: string, reason: string): void {
    this.#failed.push({ url, reason });
  }

  async #redirect(queued: QueuedUrl, target: string): Promise<void> {
    const { url } = queued;
    const leadsTo = addressIfSameSite(target, this.#scope);
    if (pageKey(url) !== pageKey(leadsTo)) {
      await this.#parts.store.put({ url, leadsTo }, null);
      this.#counts.redirects += 1;
    }
    this.#followRedirect(queued, leadsTo);
  }

  #followRedirect({ url, distance }: QueuedUrl, leadsTo: string): void {
    this.#redirects.set(url, leadsTo);
    this.#queue.add({ url: leadsTo, kind: "page", distance: distance + 1 });
  }

  async #storeIfNameable(queued: QueuedUrl, content: Content): Promise<void> {
    try {
      await this.#store(queued, content);
    } catch (error) {
      // An address that cannot be a file name must not end the whole copy.
      if (!(error instanceof AppError && error.code === "invalid")) throw error;
      this.#fail(queued.url, error.message);
    }
  }

  async #store(queued: QueuedUrl, { bytes, contentType, validators }: Content): Promise<void> {
    const { store } = this.#parts;
    const { url } = queued;
    const isPage = HTML_TYPE.test(contentType);
    if (!isPage && UNUSABLE_TYPE.test(contentType)) {
      return this.#queue.leaveOut(url, "they are neither pages nor files for readers");
    }
    const file = isPage ? fileNameOfPage(url) : fileNameOfUrl(url);
    if (isNameReservedByImport(file)) return this.#queue.leaveOut(url, "their names are reserved");
    if (isPage) {
      const html = decodePageText(bytes, contentType);
      const content = Buffer.from(removeOriginFromUrls(html, this.#scope.origin));
      await store.put({ url, file, isPage, ...validators }, content);
      this.#follow(queued, html);
    } else {
      await store.put({ url, file, isPage, ...validators }, bytes);
      this.#counts.files += 1;
    }
  }

  /** Reuses a stored outcome and follows its links. */
  async #reuse(
    { url, file, isPage, leadsTo, isGone }: UrlCopyOutcome,
    queued: QueuedUrl,
  ): Promise<void> {
    if (isGone === true) this.#gone.push(url);
    else if (leadsTo !== undefined) {
      this.#counts.redirects += 1;
      this.#followRedirect(queued, leadsTo);
    } else if (isPage === true) {
      const bytes = await this.#parts.store.read(file ?? "");
      this.#follow(queued, new TextDecoder().decode(bytes ?? new Uint8Array()));
    } else this.#counts.files += 1;
  }

  #follow({ url, distance }: QueuedUrl, html: string): void {
    const queue = this.#queue;
    this.#counts.pages += 1;
    this.#pageKeys.add(pageKey(url));
    const { links, files, feeds } = extractUrlsFromPage(html, url);
    for (const link of links) queue.add({ url: link, kind: "page", distance: distance + 1 });
    for (const file of files) queue.add({ url: file, kind: "file", distance });
    if (this.#counts.pages > 1) return;
    this.#isWordPress = findRestRootUrl(html, url) !== null;
    // Only the first page's feeds are read, because those of other pages would repeat their links.
    for (const feed of feeds) queue.add({ url: feed, kind: "list", distance });
  }
}

/**
 * Replaces another host name of the same site with the host name of its origin. Addresses on other
 * sites stay unchanged.
 */
function addressIfSameSite(url: string, scope: CopyScope): string {
  return isSameSite(url, scope) ? replaceUrlOrigin(url, scope) : url;
}
