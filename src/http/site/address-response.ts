import { setImmediate as nextTurn } from "node:timers/promises";
import { type Actor, requireScope } from "../../access/actor.ts";
import { redirectedAddressWithQuery } from "../../content/addresses/redirected-query.ts";
import {
  checkOldAddresses,
  type OldAddress,
  readOldAddresses,
} from "../../content/import/redirects/old-addresses.ts";
import { findPage } from "../../content/pages/find-page.ts";
import { searchAddressForFilteredList } from "../../content/pages/narrowing/filtered-list-address.ts";
import type { PageRequest } from "../../content/pages/view.ts";
import { dayInZone } from "../../content/site/time-zone.ts";
import { createDocumentExistenceCheck } from "../../discovery/document-lookup.ts";
import { isPublicFile } from "../../links/internal-links.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { type HttpResponse, parseRequestTarget } from "../exchange.ts";
import { parseAddress, splitPagePath } from "./address.ts";
import {
  type PageAddress,
  permanentPathRedirect,
  redirectFilteredList,
  redirectForLookup,
} from "./pages.ts";
import { randomQuotationResponse } from "./site.ts";

/** Maximum number of addresses in a list, because the request waits until all are checked. */
export const OLD_ADDRESSES_MAX = 10_000;
const SLICE_MILLISECONDS = 5;
const NO_QUERY = new URLSearchParams();
const MEDIA_FOLDER = "/media/";

type AddressParts = Pick<HttpDependencies, "reading" | "origin" | "version" | "now">;

/**
 * Reports the status and redirect of each address in a list, as if the site were open to visitors.
 * Renders no pages.
 *
 * @throws {AppError} `forbidden`, and the errors of {@link readOldAddresses}.
 */
export async function checkOldAddressesInProcess(
  actor: Actor,
  list: Buffer,
  parts: AddressParts,
): Promise<OldAddress[]> {
  requireScope(actor, "content:publish");
  const site = {
    ...parts,
    hasDocument: createDocumentExistenceCheck(parts),
    statuses: new Map<string, number>(),
  };
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  const pause = async () => {
    if (performance.now() < sliceEnd) return;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MILLISECONDS;
  };
  const addresses = await readOldAddresses(list, { max: OLD_ADDRESSES_MAX, pause });
  return await checkOldAddresses(addresses, {
    origins: [parts.origin],
    concurrencyMax: 1,
    async ask(address) {
      await pause();
      return await answerAt(address, site);
    },
    faultOf(error) {
      throw error;
    },
  });
}

interface CheckedSite extends AddressParts {
  hasDocument: (path: string) => boolean;
  /** Caches statuses, keyed by path and page number, because many addresses lead to the same page. */
  statuses: Map<string, number>;
}

interface ShortResponse {
  status: number;
  location: string;
}

/** The status and the redirect that {@link siteResponse} or {@link mediaResponse} would give. */
async function answerAt(target: string, site: CheckedSite): Promise<ShortResponse> {
  const url = parseRequestTarget(target);
  const address = parseAddress(url?.pathname ?? "%");
  if (url === null || address.kind === "malformed") return withoutRedirect(400);
  const { searchParams: query } = url;
  const { path } = address;
  if (address.kind === "not_canonical") return shortened(permanentPathRedirect(path, query));
  const file = path.startsWith(MEDIA_FOLDER) ? path.slice(MEDIA_FOLDER.length) : "";
  if (isPublicFile(file, site.reading)) return withoutRedirect(200);
  const random = randomQuotationResponse(path, site);
  if (random !== null) return shortened(random);
  if (site.hasDocument(path)) return withoutRedirect(200);
  return await pageResponseAt({ ...splitPagePath(path), query }, site);
}

/** The status and the redirect that {@link pageResponse} would give. */
async function pageResponseAt(
  address: PageAddress,
  { reading, now, statuses }: CheckedSite,
): Promise<ShortResponse> {
  const { path, isMarkdownPath, query } = address;
  const page = query.get("page") ?? "";
  const request: PageRequest = {
    // Only the page number of a list decides whether the page exists; all other parameters are ignored.
    parameter: (name) => (name === "page" && page !== "" ? page : undefined),
    today: () => dayInZone(reading.site().timeZone, now().toISOString()),
  };
  const formerAddress = redirectedAddressWithQuery(reading, address);
  const former = formerAddress === null ? null : await findPage(reading, formerAddress, request);
  if (former?.kind === "missing") return withoutRedirect(former.status);
  if (former?.kind === "moved" || former?.kind === "elsewhere")
    return shortened(redirectForLookup(former, { isMarkdownPath: false, query: NO_QUERY }));
  const narrowed = searchAddressForFilteredList(reading, address);
  if (narrowed !== null) return shortened(redirectFilteredList(narrowed, isMarkdownPath));
  const key = `${path}?${page}`;
  const known = statuses.get(key);
  if (known !== undefined) return withoutRedirect(known);
  const answer = await findPage(reading, path, request);
  if (answer.kind === "moved" || answer.kind === "elsewhere")
    return shortened(redirectForLookup(answer, address));
  const status = answer.kind === "page" ? 200 : answer.status;
  statuses.set(key, status);
  return withoutRedirect(status);
}

function withoutRedirect(status: number): ShortResponse {
  return { status, location: "" };
}

function shortened({ status, headers }: HttpResponse): ShortResponse {
  return { status, location: headers["Location"] ?? "" };
}
