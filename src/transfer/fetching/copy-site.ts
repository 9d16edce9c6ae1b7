import { AppError } from "../../errors.ts";
import { type PageAnswer, textOf, type Validators } from "./ask-page.ts";
import {
  type CopyScope,
  fileOfAddress,
  fileOfPage,
  isFileInScope,
  isPageInScope,
  pageKey,
  scopeOf,
} from "./copied-addresses.ts";
import { firstPage } from "./first-page.ts";
import { addressesInPage, addressesInXml } from "./found-addresses.ts";
import { pageText, withoutOrigin } from "./page-text.ts";
import { type PatientRequests, requestPatiently } from "./request-patiently.ts";
import { readSiteRules, type SiteRules } from "./site-rules.ts";
import { restRootIn } from "./wordpress/rest-address.ts";

/** The outcome for an address: a file in the copy, or the target of a redirect. */
export interface CopiedAddress extends Validators {
  url: string;
  file?: string;
  isPage?: boolean;
  leadsTo?: string;
}

/** The storage of a copy. */
export interface CopyStore {
  /** The latest outcome for an address, in this or an earlier copy. */
  known(url: string): CopiedAddress | undefined;
  /** Whether the latest outcome is from this copy, even from before an interruption. */
  isOfThisCopy(url: string): boolean;
  read(file: string): Promise<Uint8Array | null>;
  /** Stores an outcome, and the content of its file; null if there is none or it is unchanged. */
  put(copied: CopiedAddress, content: Uint8Array | null): Promise<void>;
}

export interface CopyParts extends PatientRequests {
  store: CopyStore;
  addressesMax: number;
  onProgress?(counts: CopyCounts): void;
}

export interface CopyCounts {
  pages: number;
  files: number;
  redirects: number;
  /** Number of pages and files that are the same as in the earlier copy. */
  unchanged: number;
}

export interface CopyReport extends CopyCounts {
  /** Addresses that could not be fetched, with the reason. */
  failed: { url: string; reason: string }[];
  /** Addresses that were not requested, by reason. */
  leftOut: Map<string, string[]>;
  /** Whether the first page names the REST interface of WordPress. */
  isWordPress: boolean;
}

type Content = Extract<PageAnswer, { kind: "content" }>;
/** A `list` is a sitemap or a feed. */
type QueuedAddress = { url: string; kind: "page" | "file" | "list" };

const LISTS_MAX = 200;
const UNUSABLE_TYPE = /^(?:text\/css|(?:application|text)\/(?:\S*\+)?(?:javascript|json|xml))\b/i;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * Copies the pages of a live site and the files that they name, one request at a time. Finds pages through
 * sitemaps, feeds and links, and obeys robots.txt.
 *
 * @throws {AppError} `invalid` if the site cannot be fetched or its robots.txt cannot be read.
 */
export async function copySite(start: string, parts: CopyParts): Promise<CopyReport> {
  const { store, request } = parts;
  const first = await firstPage(start, async (url) => {
    const known = store.known(url);
    const isCopied = known?.file !== undefined && store.isOfThisCopy(url);
    return isCopied ? null : await request(url, known ?? {});
  });
  const scope = scopeOf(first.url);
  const rules = await readSiteRules(scope.origin, parts);
  const pauseMilliseconds = Math.max(parts.pauseMilliseconds, rules.pauseMilliseconds ?? 0);
  const copy = new SiteCopy({ scope, rules, first }, { ...parts, pauseMilliseconds });
  const sitemaps =
    rules.sitemaps.length > 0 ? rules.sitemaps : [new URL("/sitemap.xml", scope.origin).href];
  for (const url of sitemaps) copy.enqueue({ url, kind: "list" });
  copy.enqueue({ url: first.url, kind: "page" });
  return await copy.run();
}

/**
 * The first page to copy, after redirects. `answer` is null if an earlier run of this copy stored
 * the page.
 */
interface FirstPage {
  url: string;
  answer: PageAnswer | null;
}

/** One crawl of a site. */
class SiteCopy {
  readonly #scope: CopyScope;
  readonly #rules: SiteRules;
  readonly #first: FirstPage;
  readonly #parts: CopyParts;
  readonly #queue: QueuedAddress[] = [];
  readonly #seen = new Set<string>();
  /** The keys of copied pages, so that no page is copied from two addresses. */
  readonly #pageKeys = new Set<string>();
  readonly #report: CopyReport = {
    ...{ pages: 0, files: 0, redirects: 0, unchanged: 0 },
    ...{ failed: [], leftOut: new Map(), isWordPress: false },
  };
  #listCount = 0;

  constructor(
    { scope, rules, first }: { scope: CopyScope; rules: SiteRules; first: FirstPage },
    parts: CopyParts,
  ) {
    this.#scope = scope;
    this.#rules = rules;
    this.#first = first;
    this.#parts = parts;
  }

  /** Queues an address unless it was seen before or must not be requested. */
  enqueue({ url, kind }: QueuedAddress): void {
    const address = URL.parse(url);
    if (address === null) return;
    address.hash = "";
    if (kind === "file") address.search = "";
    const { href, search } = address;
    if (this.#seen.has(href) || !isFileInScope(href, this.#scope)) return;
    this.#seen.add(href);
    if (kind === "list") this.#listCount += 1;
    if (kind === "page" && search !== "") this.#leaveOut(href, "they have a query");
    else if (kind === "page" && !isPageInScope(href, this.#scope)) return;
    else if (!this.#rules.allows(href)) this.#leaveOut(href, "robots.txt forbids it");
    else if (kind === "list" && this.#listCount > LISTS_MAX)
      this.#leaveOut(href, "there are too many sitemaps");
    else this.#queue.push({ url: href, kind });
  }

  async run(): Promise<CopyReport> {
    const { addressesMax, onProgress } = this.#parts;
    // The queue grows during the loop.
    for (let at = 0; at < this.#queue.length; at += 1) {
      const next = this.#queue[at];
      if (next === undefined) break;
      if (at >= addressesMax) this.#leaveOut(next.url, `they are more than ${addressesMax}`);
      else if (next.kind === "list") await this.#readList(next.url);
      else await this.#copy(next);
      onProgress?.(this.#report);
    }
    return this.#report;
  }

  async #readList(url: string): Promise<void> {
    const answer = await requestPatiently(url, {}, this.#parts);
    // A missing sitemap is not a fault.
    if (answer.kind !== "content") return;
    const { pages, sitemaps } = addressesInXml(textOf(answer.bytes) ?? "");
    for (const sitemap of sitemaps) this.enqueue({ url: sitemap, kind: "list" });
    for (const page of pages) this.enqueue({ url: page, kind: "page" });
  }

  async #copy({ url, kind }: QueuedAddress): Promise<void> {
    const { store } = this.#parts;
    if (kind === "page" && this.#pageKeys.has(pageKey(url))) return;
    const known = store.known(url);
    if (known !== undefined && store.isOfThisCopy(url)) return await this.#reuse(known);
    const firstAnswer = url === this.#first.url ? this.#first.answer : null;
    const answer = firstAnswer ?? (await requestPatiently(url, known ?? {}, this.#parts));
    if (answer.kind === "unchanged" && known !== undefined) {
      this.#report.unchanged += 1;
      await store.put(known, null);
      return await this.#reuse(known);
    }
    if (answer.kind === "moved") return await this.#redirect(url, answer.to);
    if (answer.kind === "content") return await this.#storeIfNameable(url, answer);
    this.#fail(url, answer.kind === "missing" ? answer.fault : "The host asks to be left alone");
  }

  #fail(url: string, reason: string): void {
    this.#report.failed.push({ url, reason });
  }

  async #redirect(url: string, to: string): Promise<void> {
    if (pageKey(url) !== pageKey(to)) {
      await this.#parts.store.put({ url, leadsTo: to }, null);
      this.#report.redirects += 1;
    }
    this.enqueue({ url: to, kind: "page" });
  }

  async #storeIfNameable(url: string, content: Content): Promise<void> {
    try {
      await this.#store(url, content);
    } catch (error) {
      // An address that cannot be a file name must not end the whole copy.
      if (!(error instanceof AppError && error.code === "invalid")) throw error;
      this.#fail(url, error.message);
    }
  }

  async #store(url: string, { bytes, contentType, validators }: Content): Promise<void> {
    const { store } = this.#parts;
    if (HTML_TYPE.test(contentType)) {
      const html = pageText(bytes, contentType);
      const copied = { url, file: fileOfPage(url), isPage: true, ...validators };
      await store.put(copied, Buffer.from(withoutOrigin(html, this.#scope.origin)));
      this.#follow(url, html);
    } else if (UNUSABLE_TYPE.test(contentType)) {
      this.#leaveOut(url, "they are neither pages nor files for readers");
    } else {
      await store.put({ url, file: fileOfAddress(url), isPage: false, ...validators }, bytes);
      this.#report.files += 1;
    }
  }

  /** Reuses a stored outcome and follows its links. */
  async #reuse({ url, file, isPage, leadsTo }: CopiedAddress): Promise<void> {
    if (leadsTo !== undefined) {
      this.#report.redirects += 1;
      this.enqueue({ url: leadsTo, kind: "page" });
    } else if (isPage === true) {
      const bytes = await this.#parts.store.read(file ?? "");
      this.#follow(url, new TextDecoder().decode(bytes ?? new Uint8Array()));
    } else this.#report.files += 1;
  }

  #follow(url: string, html: string): void {
    this.#report.pages += 1;
    this.#pageKeys.add(pageKey(url));
    const { links, files, feeds } = addressesInPage(html, url);
    for (const link of links) this.enqueue({ url: link, kind: "page" });
    for (const file of files) this.enqueue({ url: file, kind: "file" });
    if (this.#report.pages > 1) return;
    this.#report.isWordPress = restRootIn(html, url) !== null;
    // Only the first page's feeds are read, because those of other pages would repeat their links.
    for (const feed of feeds) this.enqueue({ url: feed, kind: "list" });
  }

  #leaveOut(url: string, reason: string): void {
    const urls = this.#report.leftOut.get(reason) ?? [];
    urls.push(url);
    this.#report.leftOut.set(reason, urls);
  }
}
