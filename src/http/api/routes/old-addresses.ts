import { countOldAddressOutcomes } from "../../../content/import/redirects/old-addresses.ts";
import { TEXT_FILE_BYTES_MAX } from "../../../content/import/streams/any-encoding.ts";
import { readBody } from "../../body-reading.ts";
import { responseWithContentLength } from "../../exchange.ts";
import { checkOldAddressesInProcess } from "../../site/address-response.ts";
import { defineStreamRoute, NO_QUERY, type Route } from "../route.ts";

const check = defineStreamRoute({
  method: "POST",
  path: "/redirects/check",
  scope: "content:publish",
  summary:
    "Say what each address of a former site answers here: kept, redirected, gone or missing; a line that is no address is invalid. The raw body is a list with one address a line, a table with addresses in its first column, or a sitemap, of at most 10,000 addresses",
  query: NO_QUERY,
  accepts: ["text/plain", "text/csv", "application/xml", "text/xml", "application/octet-stream"],
  produces: ["application/json"],
  async answer({ actor, request, parts }) {
    const list = Buffer.from(await readBody(request.body, TEXT_FILE_BYTES_MAX));
    const found = await checkOldAddressesInProcess(actor, list, parts);
    const addresses = found.map(({ fault, ...rest }) => ({ ...rest, fault: fault?.en ?? null }));
    const body = JSON.stringify({ ...countOldAddressOutcomes(found), addresses });
    return responseWithContentLength(200, { "Content-Type": "application/json" }, body);
  },
});

export const oldAddressRoutes: readonly Route[] = [check];
