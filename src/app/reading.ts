import { availableParallelism } from "node:os";
import type { Config } from "../config.ts";
import type { ReadingCopy, SearchQuery } from "../content/library.ts";
import { openSearchByMeaning } from "../search/meaning/search-by-meaning.ts";
import { SearchThreads } from "../search/search-threads.ts";
import type { DamageRegister } from "../storage/integrity/damage-register.ts";
import { RecordDamageSweep } from "../storage/integrity/record-sweep.ts";
import { ReadingCopyRepair } from "../storage/integrity/repair.ts";
import { FileDamageSweep } from "../storage/integrity/sweep.ts";
import { withDamageReports } from "../storage/reading/damage-reports.ts";
import { openReadingCopy } from "../storage/reading/open.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { DamageError } from "../storage/sqlite/damage.ts";
import { type TracedStep, traceStep } from "../tracing.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";
import { readingCopyFilePath } from "./data-folder.ts";
import type { AppOptions } from "./options.ts";
import { createMonotonicClock } from "./time.ts";

const SEARCH_STEP: TracedStep = { name: "search", kind: "internal" };

export interface OpenReadingCopyWithSearch extends AsyncDisposable {
  reading: ReadingCopy;
  /** A scheduled task that every process runs. */
  repair: ReadingCopyRepair;
  /** Background workers that only one process per data folder runs. */
  workers: readonly BackgroundWorker[];
  meaningProgress: Awaited<ReturnType<typeof openSearchByMeaning>>["progress"];
}

/** Opens the reading copy of this process, with its search threads, and repairs it when damaged. */
export async function openReadingCopyWithSearch(
  config: Config,
  record: Pick<OpenRecord, "rebuildReadingCopy" | "checkRows">,
  options: Pick<AppOptions, "log" | "searchMillisecondsMax" | "now" | "monotonic"> & {
    damages: DamageRegister;
  },
): Promise<OpenReadingCopyWithSearch> {
  const { log, searchMillisecondsMax, damages } = options;
  const file = readingCopyFilePath(config);
  const threads = searchThreads();
  const searchPool = new SearchThreads({ file, log, threads, searchMillisecondsMax });
  const meaningSearch = await openSearchByMeaning(config.embed, { file, log });
  const search = (query: SearchQuery) =>
    traceStep(
      SEARCH_STEP,
      async () => await searchPool.search(await meaningSearch.withMeaning(query)),
    );
  const copy = openReadingCopy({ file, search });
  const reading = withDamageReports(copy, ({ place }) => damages.note(place));
  await requireReadable(reading, { rebuild: () => record.rebuildReadingCopy(), damages });
  const { checkRows } = record;
  const sweepParts = { damages, log, monotonic: createMonotonicClock(options) };
  const sweeps =
    checkRows === null
      ? [new FileDamageSweep(file, { content: "the record", ...sweepParts })]
      : [
          new FileDamageSweep(file, { content: "the reading copy", ...sweepParts }),
          new RecordDamageSweep(checkRows, { damages, log }),
        ];
  return {
    reading,
    repair: new ReadingCopyRepair({ damages, rebuild: () => record.rebuildReadingCopy(), log }),
    workers: [...meaningSearch.workers, ...sweeps],
    meaningProgress: meaningSearch.progress,
    async [Symbol.asyncDispose]() {
      await searchPool.close();
      reading[Symbol.dispose]();
    },
  };
}

/** At startup, rebuilds a copy that is too damaged to be read. */
async function requireReadable(
  reading: ReadingCopy,
  { rebuild, damages }: { rebuild: () => Promise<void>; damages: DamageRegister },
): Promise<void> {
  try {
    reading.version();
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    await rebuild();
    damages.clear("reading copy");
  }
}

/** Number of search threads: two if that leaves a core for serving pages, otherwise one. */
function searchThreads(): number {
  return availableParallelism() > 2 ? 2 : 1;
}
