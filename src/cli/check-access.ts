import { listUnmetConditions, type SiteCheck } from "./check-pages.ts";
import type { SiteClient } from "./check-site.ts";

export const ACCESS_CHECKS: readonly SiteCheck[] = [
  { name: "Credentials in addresses", run: credentialsInAddresses },
  { name: "MCP without a key", run: mcpWithoutKey },
];

const INVALID_KEY = "not-a-secret-at-all";

async function credentialsInAddresses(site: SiteClient): Promise<string[]> {
  const faults: string[] = [];
  for (const name of ["api_key", "token"]) {
    const answer = await site.get(`/?${name}=${INVALID_KEY}`);
    const unmet = listUnmetConditions({
      [`is answered ${answer.status} instead of 400`]: answer.status === 400,
      "is repeated in the answer": !answer.text.includes(INVALID_KEY),
    });
    faults.push(...unmet.map((fault) => `?${name}= ${fault}`));
  }
  return faults;
}

async function mcpWithoutKey(site: SiteClient): Promise<string[]> {
  const answer = await site.send("/mcp", {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  return listUnmetConditions({
    [`it answers ${answer.status} instead of 401`]: answer.status === 401,
    "it does not say how to send a key": /^Bearer\b/.test(answer.header("www-authenticate")),
  });
}
