import { authenticate } from "../access/keys/keys.ts";
import type { Config } from "../config.ts";
import type { ApiParts } from "../http/api/parts.ts";
import type { HttpParts } from "../http/parts.ts";
import { WrongKeyThrottle } from "../http/wrong-key-throttle.ts";
import { TOOLS } from "../mcp/tools.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { WorkLimit } from "../work/work-limit.ts";

/** Names of the tools to which a key can be limited. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ definition }) => definition.name);

/** Dependencies that the interfaces of the service (the MCP service, the admin API and the site) share. */
export type SharedDoorParts = Pick<
  ApiParts,
  | "reading"
  | "deskIndex"
  | "mediaFiles"
  | "pictureSizes"
  | "jobFiles"
  | "origin"
  | "version"
  | "now"
  | "log"
  | "meaningProgress"
  | "draining"
> &
  Pick<HttpParts, "sharePictures">;

/** Dependencies of the interfaces that authenticate keys. */
export type KeyDoorParts = SharedDoorParts &
  Pick<ApiParts, "rateLimits" | "countUse" | "authenticate">;

export function keyDoorParts(
  { keys }: Pick<OpenRecord, "keys">,
  common: SharedDoorParts & Pick<KeyDoorParts, "rateLimits" | "countUse">,
  throttle: WrongKeyThrottle = new WrongKeyThrottle(),
): KeyDoorParts {
  return {
    ...common,
    authenticate: (authorization, address) =>
      throttle.watch(authorization, address, () =>
        authenticate(keys, authorization, { now: common.now(), address }),
      ),
  };
}

export function apiPartsOf(record: OpenRecord, door: KeyDoorParts, config: Config): ApiParts {
  const { webhookPrivateNetworks, mail } = config;
  const { atomically, preview } = record;
  const changeLimit = new WorkLimit("changes");
  const changeParts = { stores: record, atomically, preview, changeLimit };
  const settings = { toolNames: TOOL_NAMES, webhookPrivateNetworks, sendsMail: mail !== null };
  return { ...door, ...changeParts, ...settings };
}
