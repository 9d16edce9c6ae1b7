import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How far the heap may grow between garbage collections, in percent of the heap in use. V8's default is up
 * to four times as much.
 */
const GROWING_PERCENT = 100;
const CHECK_MILLISECONDS = 1000;
/**
 * Growth at which everything is collected even under load. A flood of requests with long headers gets there
 * within seconds, since one dead object that was promoted keeps all later ones; ordinary work never does.
 */
const GROWTH_BYTES_MAX = 96 * 1024 * 1024;
/** Growth at which an idle process collects: less is not worth a pause of some 50 ms. */
const IDLE_GROWTH_BYTES_MAX = 32 * 1024 * 1024;
/** A process that was busy for less of the time since the last check is idle. */
const IDLE_SHARE_MAX = 0.05;

/**
 * Bounds the garbage of a process that serves. V8 collects only when memory is asked for: after a flood, an
 * idle server would keep its garbage for hours.
 */
export function boundHeap(): void {
  // Lifts the limit that `bin/commonplace.cjs` sets for startup.
  setFlagsFromString("--semi-space-growth-factor=2");
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  setFlagsFromString("--expose-gc");
  // V8 hands the function out only to contexts that are created after the flag is set.
  const collect: () => void = runInNewContext("gc");
  let leastBytes = usedBytes();
  let loopTimes = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loopTimes);
    loopTimes = now;
    leastBytes = Math.min(leastBytes, usedBytes());
    const isIdle = utilization < IDLE_SHARE_MAX;
    if (usedBytes() - leastBytes < (isIdle ? IDLE_GROWTH_BYTES_MAX : GROWTH_BYTES_MAX)) return;
    collect();
    leastBytes = usedBytes();
  }, CHECK_MILLISECONDS).unref();
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}
