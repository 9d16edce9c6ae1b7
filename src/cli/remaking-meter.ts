import type { Terminal } from "./terminal.ts";

const SECONDS_BETWEEN_LINES = 5;

export interface RemakingMeter {
  show(done: number, total: number): void;
  stop(): void;
}

/**
 * How far the reading copy has been made anew, as after an upgrade or a change of the public address:
 * a bar for whoever watches, otherwise a line now and then; nothing when there is nothing to make.
 */
export async function remakingMeter(terminal: Terminal): Promise<RemakingMeter> {
  return terminal.isInteractive ? await bar() : lines(terminal);
}

async function bar(): Promise<RemakingMeter> {
  const { progress } = await import("@clack/prompts");
  let drawn: ReturnType<typeof progress> | null = null;
  let before = 0;
  return {
    show(done, total) {
      if (drawn === null) {
        drawn = progress({ max: Math.max(total, 1), style: "block" });
        drawn.start("Making the pages anew");
      }
      drawn.advance(done - before, `${done} of ${total} items`);
      before = done;
    },
    stop: () => drawn?.stop(`${before} items made anew`),
  };
}

function lines(terminal: Terminal): RemakingMeter {
  let toldAt = performance.now();
  return {
    show(done, total) {
      if (performance.now() - toldAt < SECONDS_BETWEEN_LINES * 1000) return;
      toldAt = performance.now();
      terminal.err(`Making the pages anew: ${done} of ${total} items`);
    },
    stop: () => {},
  };
}
