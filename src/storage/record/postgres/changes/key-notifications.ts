import { commitCount } from "../../../sqlite/data-version.ts";
import type { NotificationListener } from "./notification-listener.ts";

export interface KeyNotifications extends Disposable {
  /** Returns a number that increases whenever a key may have changed. */
  version: () => number;
}

/**
 * Counts notifications of key changes. Also counts this process's own commits, so that its own key
 * changes take effect without waiting for a notification.
 */
export function openKeyNotifications(listening: NotificationListener): KeyNotifications {
  let notified = 0;
  const subscription = listening.subscribe("commonplace_keys", () => {
    notified += 1;
  });
  return {
    version: () => notified + commitCount(),
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}
