import type { Terminal } from "./terminal.ts";

const SECONDS_BETWEEN_LINES = 5;

/** Tells how far something long has come; nothing until there is something to tell. */
export interface ProgressMeter {
  /** `words` say the same for people, as "5 of 10 items". */
  show(done: number, total: number, words: string): void;
  /** Whatever became of it. */
  stop(): void;
}

/** For reports that a program reads. */
export const SILENT_METER: ProgressMeter = { show: () => {}, stop: () => {} };

/** A bar for whoever watches, otherwise a line now and then. */
export async function progressMeter(title: string, terminal: Terminal): Promise<ProgressMeter> {
  return terminal.isInteractive ? await bar(title) : lines(title, terminal);
}

/** What draws it is a lot of program, and a server has no use for it. */
async function bar(title: string): Promise<ProgressMeter> {
  const { progress } = await import("@clack/prompts");
  let drawn: ReturnType<typeof progress> | null = null;
  let before = 0;
  let last = "";
  return {
    show(done, total, words) {
      if (drawn === null) {
        drawn = progress({ max: total > 0 ? total : 1, style: "block" });
        drawn.start(title);
      }
      last = `${title}: ${words}`;
      drawn.advance(done - before, last);
      before = done;
    },
    stop: () => drawn?.stop(last),
  };
}

function lines(title: string, terminal: Terminal): ProgressMeter {
  let toldAt = performance.now();
  return {
    show(_done, _total, words) {
      if (performance.now() - toldAt < SECONDS_BETWEEN_LINES * 1000) return;
      toldAt = performance.now();
      terminal.err(`${title}: ${words}`);
    },
    stop: () => {},
  };
}
