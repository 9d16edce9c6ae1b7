import {
  type KeyRequest,
  type KeyRequestState,
  toKeyRequestWithoutCodeHash,
} from "../access/submissions/key-requests.ts";
import { listSubmissions } from "../access/submissions/submissions.ts";
import { openRecordForCommand } from "../app/store.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

const REQUESTS_MAX = 200;

export interface ListRequestsFlags {
  state?: KeyRequestState;
  json?: boolean;
}

/** Runs `commonplace requests list`. */
export async function runListRequestsCommand(
  { state, json }: ListRequestsFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const found = await listSubmissions(
    record.keyRequests,
    { kind: "operator" },
    { state: state ?? null, before: null, limit: REQUESTS_MAX + 1 },
  );
  const requests = found.slice(0, REQUESTS_MAX);
  const hasMore = found.length > REQUESTS_MAX;
  if (json === true) {
    terminal.out(JSON.stringify({ requests: requests.map(toKeyRequestWithoutCodeHash), hasMore }));
    return 0;
  }
  if (requests.length === 0) terminal.out("There are no requests for a key");
  else for (const line of formatTableLines(rows(requests))) terminal.out(line);
  if (hasMore) terminal.err(`These are the latest ${REQUESTS_MAX}; --state shows fewer kinds`);
  return 0;
}

function rows(requests: readonly KeyRequest[]): string[][] {
  return [
    ["ID", "STATE", "RECEIVED", "ACCESS", "WHO"],
    ...requests.map(({ id, state, receivedAt, access, name, organisation, erasedAt }) => [
      id,
      state,
      receivedAt.slice(0, 10),
      access,
      erasedAt === null
        ? [name, organisation].filter((part) => part !== "").join(", ")
        : "(erased)",
    ]),
  ];
}
