import { AppError, englishOnly } from "../../errors.ts";
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
import { addressesInPage, addressesInXml } from "./found-addresses.ts";
import { pageText, withoutOrigin } from "./page-text.ts";
import { type SiteRules, siteRules } from "./site-rules.ts";

/** The outcome for an address: a file of the copy, or a redirect target. */
export interface Copied extends Validators {
  url: string;
  file?: string;
  isPage?: boolean;
  leadsTo?: string;
}

/** The storage of a copy. */
export interface CopyStore {
  /** The result of an earlier copy for an address. */
  known(url: string): Copied | undefined;
  /** Whether this copy stored it before it was interrupted. */
  isOfThisCopy(url: string): boolean;
  read(file: string): Promise<Uint8Array | null>;
  /** Stores an address, with the content of its file unless that is unchanged. */
  keep(copied: Copied, content: Uint8Array | null): Promise<void>;
}

export interface CopyParts {
  keeping: CopyStore;
  ask(url: string, known: Validators): Promise<PageAnswer>;
  pause(milliseconds: number): Promise<void>;
  pauseMilliseconds: number;
  addressesMax: number;
  onProgress?(counts: CopyCounts): void;
}

export interface CopyCounts {
  pages: number;
  files: number;
  redirects: number;
  /** Number of pages and files that the site reports as unchanged. */
  unchanged: number;
}

export interface CopyReport extends CopyCounts {
  /** Addresses that could not be fetched, with the reason. */
  failed: { url: string; reason: string }[];
  /** Addresses that were not requested, by reason. */
  leftOut: Map<string, string[]>;
}

type Content = Extract<PageAnswer, { kind: "content" }>;
type SoughtAddress = { url: string; as: "page" | "file" | "list" };

const WAITS_MAX = 3;
const WAIT_MILLISECONDS_MAX = 300_000;
const LISTS_MAX = 200;
const START_REDIRECTS_MAX = 5;
const UNUSABLE_TYPE = /^(?:text\/css|(?:application|text)\/(?:\S*\+)?(?:javascript|json|xml))\b/i;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * Copies the pages of a live site and the files they name, one request after another: the targets
 * of its sitemaps, feeds and links, as far as robots.txt allows.
 *
 * @throws {AppError} `invalid` if the site cannot be fetched or forbids it.
 */
export async function copySite(start: string, parts: CopyParts): Promise<CopyReport> {
  const first = await startOf(start, parts);
  const scope = scopeOf(first.url);
  const rules = await rulesOf(scope, parts);
  const pauseMilliseconds = Math.max(parts.pauseMilliseconds, rules.pauseMilliseconds ?? 0);
  const copy = new SiteCopy({ scope, rules, first }, { ...parts, pauseMilliseconds });
  const sitemaps =
    rules.sitemaps.length > 0 ? rules.sitemaps : [new URL("/sitemap.xml", scope.origin).href];
  for (const url of sitemaps) copy.seek({ url, as: "list" });
  copy.seek({ url: first.url, as: "page" });
  return await copy.run();
}

/** The first page and its answer; null: an interrupted copy has stored it already. */
interface FirstPage {
  url: string;
  answer: PageAnswer | null;
}

/** The page that the start redirects to, which may have another origin. */
async function startOf(start: string, { ask, keeping }: CopyParts): Promise<FirstPage> {
  let url = start;
  for (let redirects = 0; redirects <= START_REDIRECTS_MAX; redirects += 1) {
    const known = keeping.known(url);
    const isCopied = known?.file !== undefined && keeping.isOfThisCopy(url);
    if (isCopied) return { url, answer: null };
    const answer = await ask(url, known ?? {});
    if (answer.kind === "content" || answer.kind === "unchanged") return { url, answer };
    if (answer.kind !== "moved") throw unavailable(url, answer);
    url = answer.to;
  }
  throw new AppError("invalid", englishOnly(`Cannot copy ${start}: it redirects without end`));
}

async function rulesOf({ origin }: CopyScope, parts: CopyParts): Promise<SiteRules> {
  const url = new URL("/robots.txt", origin).href;
  const answer = await parts.ask(url, {});
  const rules = siteRules(url, answer);
  if (rules === null) throw unavailable(url, answer);
  return rules;
}

function unavailable(url: string, answer: PageAnswer): AppError {
  const reason = answer.kind === "missing" ? answer.fault : "The host asks to be left alone";
  return new AppError("invalid", englishOnly(`Cannot copy ${url}: ${reason}`));
}

/** One crawl of a site. */
class SiteCopy {
  readonly #scope: CopyScope;
  readonly #rules: SiteRules;
  readonly #first: FirstPage;
  readonly #parts: CopyParts;
  readonly #ahead: SoughtAddress[] = [];
  readonly #sought = new Set<string>();
  readonly #pageKeys = new Set<string>();
  readonly #report: CopyReport = {
    ...{ pages: 0, files: 0, redirects: 0, unchanged: 0 },
    ...{ failed: [], leftOut: new Map() },
  };
  #lists = 0;

  constructor(
    { scope, rules, first }: { scope: CopyScope; rules: SiteRules; first: FirstPage },
    parts: CopyParts,
  ) {
    this.#scope = scope;
    this.#rules = rules;
    this.#first = first;
    this.#parts = parts;
  }

  /** Queues an address, unless it was queued before or must not be requested. */
  seek({ url, as }: SoughtAddress): void {
    const address = URL.parse(url);
    if (address === null) return;
    address.hash = "";
    if (as === "file") address.search = "";
    const { href, search } = address;
    if (this.#sought.has(href) || !isFileInScope(href, this.#scope)) return;
    this.#sought.add(href);
    if (as === "list") this.#lists += 1;
    if (as === "page" && search !== "") this.#leave(href, "they have a query");
    else if (as === "page" && !isPageInScope(href, this.#scope)) return;
    else if (!this.#rules.allows(href)) this.#leave(href, "robots.txt forbids it");
    else if (as === "list" && this.#lists > LISTS_MAX)
      this.#leave(href, "there are too many sitemaps");
    else this.#ahead.push({ url: href, as });
  }

  async run(): Promise<CopyReport> {
    const { addressesMax, onProgress } = this.#parts;
    // The list grows during the loop.
    for (let at = 0; at < this.#ahead.length; at += 1) {
      const sought = this.#ahead[at];
      if (sought === undefined) break;
      if (at >= addressesMax) this.#leave(sought.url, `they are more than ${addressesMax}`);
      else if (sought.as === "list") await this.#readList(sought.url);
      else await this.#copy(sought);
      onProgress?.(this.#report);
    }
    return this.#report;
  }

  async #readList(url: string): Promise<void> {
    const answer = await this.#ask(url, {});
    // A missing sitemap is not a fault.
    if (answer.kind !== "content") return;
    const { pages, sitemaps } = addressesInXml(textOf(answer.bytes) ?? "");
    for (const sitemap of sitemaps) this.seek({ url: sitemap, as: "list" });
    for (const page of pages) this.seek({ url: page, as: "page" });
  }

  async #copy({ url, as }: SoughtAddress): Promise<void> {
    const { keeping } = this.#parts;
    if (as === "page" && this.#pageKeys.has(pageKey(url))) return;
    const known = keeping.known(url);
    if (known !== undefined && keeping.isOfThisCopy(url)) return await this.#again(known);
    const begun = url === this.#first.url ? this.#first.answer : null;
    const answer = begun ?? (await this.#ask(url, known ?? {}));
    if (answer.kind === "unchanged" && known !== undefined) {
      this.#report.unchanged += 1;
      await keeping.keep(known, null);
      return await this.#again(known);
    }
    if (answer.kind === "moved") return await this.#lead(url, answer.to);
    if (answer.kind === "content") return await this.#take(url, answer);
    this.#fail(url, answer.kind === "missing" ? answer.fault : "The host asks to be left alone");
  }

  #fail(url: string, reason: string): void {
    this.#report.failed.push({ url, reason });
  }

  async #lead(url: string, to: string): Promise<void> {
    if (pageKey(url) !== pageKey(to)) {
      await this.#parts.keeping.keep({ url, leadsTo: to }, null);
      this.#report.redirects += 1;
    }
    this.seek({ url: to, as: "page" });
  }

  async #take(url: string, content: Content): Promise<void> {
    try {
      await this.#keep(url, content);
    } catch (error) {
      // An address that cannot be a file name does not stop the others.
      if (!(error instanceof AppError && error.code === "invalid")) throw error;
      this.#fail(url, error.message);
    }
  }

  async #keep(url: string, { bytes, contentType, validators }: Content): Promise<void> {
    const { keeping } = this.#parts;
    if (HTML_TYPE.test(contentType)) {
      const html = pageText(bytes, contentType);
      const copied = { url, file: fileOfPage(url), isPage: true, ...validators };
      await keeping.keep(copied, Buffer.from(withoutOrigin(html, this.#scope.origin)));
      this.#follow(url, html);
    } else if (UNUSABLE_TYPE.test(contentType)) {
      this.#leave(url, "they are neither pages nor files for readers");
    } else {
      await keeping.keep({ url, file: fileOfAddress(url), isPage: false, ...validators }, bytes);
      this.#report.files += 1;
    }
  }

  /** Reuses the result of an earlier copy, and follows the same links. */
  async #again({ url, file, isPage, leadsTo }: Copied): Promise<void> {
    if (leadsTo !== undefined) {
      this.#report.redirects += 1;
      this.seek({ url: leadsTo, as: "page" });
    } else if (isPage === true) {
      const bytes = await this.#parts.keeping.read(file ?? "");
      this.#follow(url, new TextDecoder().decode(bytes ?? new Uint8Array()));
    } else this.#report.files += 1;
  }

  #follow(url: string, html: string): void {
    this.#report.pages += 1;
    this.#pageKeys.add(pageKey(url));
    const { links, files, feeds } = addressesInPage(html, url);
    for (const link of links) this.seek({ url: link, as: "page" });
    for (const file of files) this.seek({ url: file, as: "file" });
    // Only the first page's feeds: those of single pages would only repeat their links.
    if (this.#report.pages === 1) for (const feed of feeds) this.seek({ url: feed, as: "list" });
  }

  async #ask(url: string, known: Validators): Promise<PageAnswer> {
    const { ask, pause, pauseMilliseconds } = this.#parts;
    for (let waits = 0; ; waits += 1) {
      await pause(pauseMilliseconds);
      const answer = await ask(url, known);
      if (answer.kind !== "wait" || waits >= WAITS_MAX) return answer;
      if (answer.milliseconds > WAIT_MILLISECONDS_MAX) return answer;
      await pause(answer.milliseconds);
    }
  }

  #leave(url: string, reason: string): void {
    const left = this.#report.leftOut.get(reason) ?? [];
    left.push(url);
    this.#report.leftOut.set(reason, left);
  }
}
