/**
 * Runs in each page before its scripts. Timers of a second or more wait until the story calls `letPass`, so
 * that nothing depends on how busy the machine is. Shorter timers run normally.
 */
export const HELD_TIMERS = `(() => {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const held = new Map();
  let now = 0;
  let last = 1e9;
  globalThis.setTimeout = (run, ms = 0, ...rest) => {
    if (ms < 1000) return start(run, ms, ...rest);
    last += 1;
    held.set(last, { run: () => run(...rest), at: now + ms });
    return last;
  };
  globalThis.clearTimeout = (id) => {
    if (!held.delete(id)) stop(id);
  };
  globalThis.letPass = (ms) => {
    now += ms;
    const due = [...held].filter(([, { at }]) => at <= now).sort(([, one], [, other]) => one.at - other.at);
    for (const [id, { run }] of due) if (held.delete(id)) run();
  };
})()`;
