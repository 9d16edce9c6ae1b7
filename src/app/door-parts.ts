import { authenticate } from "../access/keys/keys.ts";
import type { Config } from "../config.ts";
import type { ApiParts } from "../http/api/parts.ts";
import type { OpenRecord } from "../storage/record/stores.ts";

/** What every part of the service stands on. */
export type Common = Pick<
  ApiParts,
  | "reading"
  | "mediaFiles"
  | "jobFiles"
  | "origin"
  | "version"
  | "now"
  | "log"
  | "meaningProgress"
  | "draining"
>;

/** What every door that asks for a key stands on. */
export type KeyDoor = Common & Pick<ApiParts, "rateLimits" | "countUse" | "authenticate">;

export function keyDoor(
  { keys }: Pick<OpenRecord, "keys">,
  common: Common & Pick<KeyDoor, "rateLimits" | "countUse">,
): KeyDoor {
  return {
    ...common,
    authenticate: (authorization, address) =>
      authenticate(keys, authorization, { now: common.now(), address }),
  };
}

export function apiPartsOn(record: OpenRecord, door: KeyDoor, config: Config): ApiParts {
  const { webhookPrivateNetworks, mail } = config;
  const { atomically, rehearse } = record;
  const changing = { stores: record, atomically, rehearse };
  return { ...door, ...changing, webhookPrivateNetworks, sendsMail: mail !== null };
}
