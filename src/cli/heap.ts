import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How far the heap may grow between garbage collections, as a percentage of the heap in use. V8's default is
 * up to four times as much.
 */
const GROWING_PERCENT = 75;
const CHECK_MILLISECONDS = 250;
const CHECKS_PER_SECOND = 4;
/**
 * A full collection starts when the old generation grows by more than this within a second. Ordinary work at
 * full load makes it grow by a third of this limit. A flood of requests with long headers makes it grow by three
 * times this limit, because one dead object in the old generation keeps all later objects alive.
 */
const FAST_GROWTH_BYTES_MAX = 32 * 1024 * 1024;
/**
 * An idle process starts a full collection when the old generation has grown by more than this.
 * Less growth is not worth a pause of some 50 ms.
 */
const IDLE_GROWTH_BYTES_MAX = 24 * 1024 * 1024;
/** A process is idle if it was busy for less than this share of the time since the last check. */
const IDLE_SHARE_MAX = 0.05;
const YOUNG_SPACES: ReadonlySet<string> = new Set(["new_space", "new_large_object_space"]);

/**
 * Bounds the garbage of a serving process. V8 collects garbage only when memory is allocated. After
 * a flood of requests, an idle server would keep the garbage for hours.
 */
export function limitHeapGrowth(): void {
  // Lifts the limit on the young generation that `bin/commonplace.cjs` sets for startup.
  setFlagsFromString("--semi-space-growth-factor=2");
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  setFlagsFromString("--expose-gc");
  // `gc` exists only in contexts that are created after the flag is set.
  const collect: () => void = runInNewContext("gc");
  let leastBytes = oldBytes();
  let lastSecond: number[] = [];
  let loopTimes = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loopTimes);
    loopTimes = now;
    const bytes = oldBytes();
    leastBytes = Math.min(leastBytes, bytes);
    lastSecond = [...lastSecond, bytes].slice(-CHECKS_PER_SECOND - 1);
    const isFast = bytes - Math.min(...lastSecond) > FAST_GROWTH_BYTES_MAX;
    const isIdle = utilization < IDLE_SHARE_MAX;
    if (!isFast && !(isIdle && bytes - leastBytes > IDLE_GROWTH_BYTES_MAX)) return;
    collect();
    leastBytes = oldBytes();
    lastSecond = [];
  }, CHECK_MILLISECONDS).unref();
}

/** Bytes in use by the old generation, garbage included. */
function oldBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => !YOUNG_SPACES.has(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}
