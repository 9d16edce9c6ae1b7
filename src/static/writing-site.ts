import { basename, extname, resolve } from "node:path";
import { pageAddress } from "../content/pages/paging.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import {
  type ExportFolder,
  type FolderUpdateResult,
  openExportFolder,
} from "../files/updated-folder.ts";
import {
  assetPaths,
  documentPartPathBuilders,
  documentPaths,
  FIRST_PAGE,
  listNumberedPages,
  mediaFilePaths,
  type NumberedPage,
  pageFilePath,
  pagePaths,
  sharePicturePathOfEntry,
} from "./addresses.ts";
import { type FormerAddressResponse, formerAddressResponses } from "./former-addresses.ts";
import { movePageNumbersIntoPaths, pageParametersOfSecondaryLists } from "./page-links.ts";
import { buildRemovalPatterns, removeServerFeatures, textFormatsOf } from "./removals.ts";
import {
  type ExportHost,
  encodeRequestTarget,
  GONE_FOLDER,
  WEB_ROOT,
  wildcardPrefix,
} from "./rules/host.ts";
import { generateSearchFiles, searchPagePaths } from "./search/search-files.ts";
import type { SiteResponse, StaticExportSource } from "./static-source.ts";

/** Response headers of the site that the web server must also send with the exported files. */
const KEPT_HEADERS = [
  "Content-Security-Policy",
  "X-Content-Type-Options",
  "Referrer-Policy",
  "Cross-Origin-Opener-Policy",
  "Permissions-Policy",
  "Strict-Transport-Security",
  "Access-Control-Allow-Origin",
  "Content-Signal",
];
/** A path without an item. The site's answer is exported as the page for missing pages. */
const MISSING_PAGE = "/404";

export interface StaticExportResult extends FolderUpdateResult {
  pages: number;
  /** Addresses that the export omits, because no file can have their name. */
  unnameable: readonly string[];
  /** Features of this site that the host does not support. */
  limits: readonly string[];
}

interface StaticOptions {
  host: ExportHost;
  /** Whether the site gets a search page with an index. */
  hasSearch: boolean;
  onPages(pages: number): void;
}

/**
 * Writes the public site as files below `public`, with the web host's configuration for redirects
 * and headers. Removes files of an earlier export that are no longer part of the site.
 *
 * @throws {AppError} `conflict` for a hidden site, or if an exported file would overwrite a file
 * that no export has written; `unavailable` when the site answers with an error.
 */
export async function writeStaticSite(
  path: string,
  source: StaticExportSource,
  { host, hasSearch, onPages }: StaticOptions,
): Promise<StaticExportResult> {
  if (source.reading.site().hidden) {
    throw new AppError(
      "conflict",
      englishOnlyWording("The site is hidden: open it first, or its pages are not public"),
    );
  }
  const folder = await openExportFolder(path, {
    ...{ listFolder: "", readers: "everyone", onEdited: "overwrite" },
  });
  const writer = new SiteWriter(source, folder, { host, hasSearch });
  const pages = await writer.writePages(onPages);
  if (hasSearch) await writer.writeSearch();
  await writer.writeDocuments();
  await writer.writeFiles();
  const limits = await writer.writeRules(resolve(path, WEB_ROOT));
  return { ...(await folder.finish()), pages, unnameable: writer.unnameable, limits };
}

class SiteWriter {
  readonly unnameable: string[] = [];
  readonly #source: StaticExportSource;
  readonly #folder: ExportFolder;
  readonly #host: ExportHost;
  readonly #patterns: ReturnType<typeof buildRemovalPatterns>;
  readonly #types = new Map<string, string>();
  readonly #namedTypes = new Map<string, string>();
  readonly #policies = new Map<string, string>();

  constructor(
    source: StaticExportSource,
    folder: ExportFolder,
    { host, hasSearch }: Pick<StaticOptions, "host" | "hasSearch">,
  ) {
    this.#source = source;
    this.#folder = folder;
    this.#host = host;
    const { reading, origin } = source;
    this.#patterns = buildRemovalPatterns(reading, { origin, hasSearch });
  }

  async writePages(onPages: (pages: number) => void): Promise<number> {
    let pages = 0;
    for (const path of pagePaths(this.#source.reading)) {
      const found = await listNumberedPages(this.#source.reading, path);
      for (const page of found) await this.#writePage(path, page);
      pages += found.length;
      onPages(pages);
    }
    return pages;
  }

  async #writePage(path: string, numbered: NumberedPage): Promise<void> {
    const query = pageAddress("", numbered.page, numbered.parameter);
    const addresses = {
      html: encodeRequestTarget(path),
      md: `/${encodeRequestTarget(pageFilePath(path, FIRST_PAGE, "md"))}`,
    };
    for (const ending of ["html", "md"] as const) {
      const name = pageFilePath(path, numbered, ending);
      // An item can have the path that the second page of a list has in the export.
      if (this.#folder.has(`${WEB_ROOT}/${name}`)) this.unnameable.push(`/${name}`);
      else await this.#write(addresses[ending] + query, name);
    }
  }

  async writeSearch(): Promise<void> {
    const { reading, origin } = this.#source;
    const ask = (target: string) => this.#answer(target);
    for await (const { name, text } of generateSearchFiles({ reading, origin, ask })) {
      await this.#put(name, this.#withoutServerFeatures(Buffer.from(text), name));
    }
    this.#types.set("js", "text/javascript; charset=utf-8");
  }

  async writeDocuments(): Promise<void> {
    const { reading } = this.#source;
    for (const path of documentPaths(reading)) {
      await this.#write(encodeRequestTarget(path), path.slice(1));
    }
    for (const series of documentPartPathBuilders(reading)) {
      for (
        let part = 1;
        await this.#write(encodeRequestTarget(series(part)), series(part).slice(1));
      ) {
        part += 1;
      }
    }
  }

  async writeFiles(): Promise<void> {
    const { reading, media } = this.#source;
    for (const path of assetPaths(reading)) await this.#write(path, path.slice(1));
    for await (const medium of media) {
      for (const path of mediaFilePaths(reading, medium)) await this.#writeMedium(path);
    }
    for (const entry of reading.index()) {
      const path = sharePicturePathOfEntry(reading, entry);
      if (path === null) continue;
      const name = decodeURI(path).slice(1);
      // Reuses the picture of an earlier export, because drawing is slow. The address contains a
      // hash of the picture's content, so the picture cannot be outdated.
      const isKept = await this.#folder.keepIfUnchanged(`${WEB_ROOT}/${name}`);
      if (!isKept) await this.#write(path, name);
      this.#types.set("png", "image/png");
    }
  }

  /** @returns the features of this site that the host does not support. */
  async writeRules(root: string): Promise<string[]> {
    const { reading, origin, formerPaths } = this.#source;
    const answers = formerAddressResponses(reading, formerPaths).filter(
      ({ from }) => !this.#isPage(from),
    );
    const missing = await this.#answer(MISSING_PAGE);
    await this.#put("404.html", this.#withoutServerFeatures(missing.bytes, "404.html"));
    const former: FormerAddressResponse[] = [];
    for (const answer of answers) if (await this.#writeFormer(answer)) former.push(answer);
    const home = await this.#answer("/");
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = home.headers[name];
      return value === undefined ? [] : [[name, value]];
    });
    const input = {
      ...{ root, origin, former },
      headers: Object.fromEntries(headers),
      pageCaching: home.headers["Cache-Control"] ?? "no-cache",
      types: this.#types,
      namedTypes: this.#namedTypes,
      policies: this.#policies,
      scriptPaths: this.#patterns.hasSearch ? searchPagePaths(reading) : [],
      files: this.#filesBelowRoot(),
    };
    for (const { name, text } of this.#host.rules(input)) {
      if (!(await this.#folder.write(name, Buffer.from(text)))) this.unnameable.push(`/${name}`);
    }
    return this.#host.limits(input);
  }

  /** Writes the page for a withdrawn address. @returns false if no file can have its name. */
  async #writeFormer({ kind, from }: FormerAddressResponse): Promise<boolean> {
    if (!this.#host.answersGone || kind !== "gone" || wildcardPrefix(from) !== null) return true;
    const { status, bytes } = await this.#answer(encodeRequestTarget(from));
    const name = `${GONE_FOLDER}${from}.html`;
    return status !== 410 || (await this.#put(name, this.#withoutServerFeatures(bytes, name)));
  }

  #filesBelowRoot(): Map<string, number> {
    const prefix = `${WEB_ROOT}/`;
    return new Map(
      [...this.#folder.sizes()].flatMap(([name, bytes]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), bytes]] : [],
      ),
    );
  }

  /** Writes the site's answer at an address. @returns false if the answer is 404. */
  async #write(target: string, name: string): Promise<boolean> {
    const { status, headers, bytes } = await this.#answer(target);
    if (status !== 200) return false;
    const isWritten = await this.#put(name, this.#withoutServerFeatures(bytes, name));
    if (isWritten) this.#noteType(name, headers);
    return true;
  }

  /**
   * Writes a media file. If the file is a smaller version that has not been made yet, writes the
   * original picture instead.
   */
  async #writeMedium(path: string): Promise<void> {
    const { status, headers } = await this.#answer(path);
    const original = status === 307 ? headers["Location"] : undefined;
    const found = await this.#answer(original ?? path);
    if (found.status !== 200) return;
    if (original === undefined) this.#noteType(path.slice(1), found.headers);
    await this.#put(path.slice(1), found.bytes);
  }

  /**
   * @throws {AppError} `unavailable` if the site answers with an error, so that an error is not
   * mistaken for a missing page.
   */
  async #answer(target: string): Promise<SiteResponse> {
    const answer = await this.#source.ask(target);
    if (answer.status < 500) return answer;
    const message = `Cannot export ${target}: it answers ${answer.status}; try again`;
    throw new AppError("unavailable", englishOnlyWording(message));
  }

  /** Writes a file. If no file can have this name, records the name and returns false. */
  async #put(name: string, bytes: Buffer): Promise<boolean> {
    const isWritten = await this.#folder.write(`${WEB_ROOT}/${name}`, bytes);
    if (!isWritten) this.unnameable.push(`/${name}`);
    return isWritten;
  }

  #noteType(name: string, headers: SiteResponse["headers"]): void {
    const ending = extname(name).slice(1);
    const type = headers["Content-Type"] ?? "application/octet-stream";
    const usualType = this.#types.get(ending);
    if (usualType === undefined) this.#types.set(ending, type);
    else if (usualType !== type) this.#namedTypes.set(basename(name), type);
    const policy = headers["Content-Security-Policy"];
    if (name.startsWith("media/") && policy !== undefined) this.#policies.set(ending, policy);
  }

  #isPage(from: string): boolean {
    return this.#folder.has(`${WEB_ROOT}${from}.html`);
  }

  /** Returns the content of a file without the features that need a server. */
  #withoutServerFeatures(bytes: Buffer, name: string): Buffer {
    const formats = textFormatsOf(name);
    if (formats.length === 0) return bytes;
    const text = formats.reduce(
      (remaining, format) => removeServerFeatures(remaining, format, this.#patterns),
      bytes.toString(),
    );
    const parameters = pageParametersOfSecondaryLists(this.#source.reading.types());
    if (!this.#host.readsPageNumbers) parameters.push(FIRST_PAGE.parameter);
    return Buffer.from(movePageNumbersIntoPaths(text, this.#patterns.origin, parameters));
  }
}
