import type { Config } from "../config.ts";
import { type OpenedDeskIndex, openDeskIndex } from "../storage/desk/desk-search.ts";
import { DEFAULT_DESK_TIMEOUTS } from "../storage/desk/following.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { deskIndexFilePath, storeFilePath } from "./data-folder.ts";
import type { AppOptions } from "./options.ts";

/**
 * Opens the editors' index of all items and drafts. A thread of this process keeps the index up to date
 * with the record.
 */
export function openConfiguredDeskIndex(
  config: Config,
  { content, desk, origin }: Pick<OpenRecord, "content" | "desk" | "origin">,
  {
    log,
    deskTimeouts = DEFAULT_DESK_TIMEOUTS,
    searchMillisecondsMax,
  }: Pick<AppOptions, "log" | "deskTimeouts" | "searchMillisecondsMax">,
): OpenedDeskIndex {
  return openDeskIndex({
    url: config.databaseUrl,
    recordFile: storeFilePath(config),
    file: deskIndexFilePath(config),
    origin,
    log,
    types: () => content.types(),
    lastChange: () => desk.lastChange(),
    timeouts: deskTimeouts,
    searchMillisecondsMax,
  });
}
