import type { Terminal } from "./terminal.ts";

const SECONDS_BETWEEN_LINES = 5;

/** Shows the progress of a long operation. */
export interface ProgressMeter {
  /** `words` describe the progress, such as "5 of 10 items". */
  show(done: number, total: number, words: string): void;
  /** Call it on success and on failure. */
  stop(): void;
}

/** Shows nothing, for JSON output. */
export const SILENT_PROGRESS_METER: ProgressMeter = { show: () => {}, stop: () => {} };

/** Shows a bar on a terminal, and otherwise a line every few seconds. */
export async function createProgressMeter(
  title: string,
  terminal: Terminal,
): Promise<ProgressMeter> {
  return terminal.isInteractive ? await bar(title) : lines(title, terminal);
}

/** Imports the library on demand: it is large, and a server does not need it. */
async function bar(title: string): Promise<ProgressMeter> {
  const { progress } = await import("@clack/prompts");
  let shownBar: ReturnType<typeof progress> | null = null;
  let doneBefore = 0;
  let lastText = "";
  return {
    show(done, total, words) {
      if (shownBar === null) {
        shownBar = progress({ max: total > 0 ? total : 1, style: "block" });
        shownBar.start(title);
      }
      lastText = `${title}: ${words}`;
      shownBar.advance(done - doneBefore, lastText);
      doneBefore = done;
    },
    stop: () => shownBar?.stop(lastText),
  };
}

function lines(title: string, terminal: Terminal): ProgressMeter {
  let shownAt = performance.now();
  return {
    show(_done, _total, words) {
      if (performance.now() - shownAt < SECONDS_BETWEEN_LINES * 1000) return;
      shownAt = performance.now();
      terminal.err(`${title}: ${words}`);
    },
    stop: () => {},
  };
}
