import { authenticate } from "../access/keys/keys.ts";
import type { Config } from "../config.ts";
import type { ApiDependencies } from "../http/api/dependencies.ts";
import type { HttpDependencies } from "../http/dependencies.ts";
import { WrongKeyThrottle } from "../http/wrong-key-throttle.ts";
import { TOOLS } from "../mcp/tools.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { ConcurrencyLimiter } from "../work/work-limit.ts";

/** Names of the tools to which a key can be limited. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ definition }) => definition.name);

/** Dependencies that the interfaces of the service (the MCP service, the admin API and the site) share. */
export type SharedDoorDependencies = Pick<
  ApiDependencies,
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
  Pick<HttpDependencies, "sharePictures">;

/** Dependencies of the interfaces that authenticate keys. */
export type KeyDoorDependencies = SharedDoorDependencies &
  Pick<ApiDependencies, "rateLimits" | "countUse" | "authenticate">;

export function createKeyDoorDependencies(
  { keys }: Pick<OpenRecord, "keys">,
  common: SharedDoorDependencies & Pick<KeyDoorDependencies, "rateLimits" | "countUse">,
  throttle: WrongKeyThrottle = new WrongKeyThrottle(),
): KeyDoorDependencies {
  return {
    ...common,
    authenticate: (authorization, address) =>
      throttle.watch(authorization, address, () =>
        authenticate(keys, authorization, { now: common.now(), address }),
      ),
  };
}

export function createApiDependencies(
  record: OpenRecord,
  door: KeyDoorDependencies,
  config: Config,
): ApiDependencies {
  const { webhookPrivateNetworks, mail } = config;
  const { atomically, preview } = record;
  const changeLimit = new ConcurrencyLimiter("changes");
  const changeParts = { stores: record, atomically, preview, changeLimit };
  const settings = { toolNames: TOOL_NAMES, webhookPrivateNetworks, sendsMail: mail !== null };
  return { ...door, ...changeParts, ...settings };
}
