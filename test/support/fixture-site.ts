import { join } from "node:path";
import { openRecordForCommand } from "../../src/app/store.ts";
import type { Config } from "../../src/config.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { importContent } from "../../src/importing/import-content.ts";
import { findImportFiles } from "../../src/importing/import-files.ts";
import { FIXTURE_NOW } from "./fixture-config.ts";

/** Imports a site folder; by default the fixture site. */
export async function importSite(
  record: ContentRecord,
  folder = join(import.meta.dirname, "fixture"),
): Promise<void> {
  await importContent(record, { kind: "operator" }, [await findImportFiles(folder)], {
    now: FIXTURE_NOW,
    unknown: "refuse",
    events: {
      onProblem(problem) {
        throw new Error(`The fixture is damaged: ${JSON.stringify(problem)}`);
      },
    },
  });
}

/** Creates the fixture site in the store that the settings name. */
export async function makeFixtureSite(config: Config): Promise<void> {
  await using _record = await openRecordForCommand(config, importSite);
}
