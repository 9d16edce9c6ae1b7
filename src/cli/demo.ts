import { join } from "node:path";
import type { ContentRecord } from "../content/record.ts";
import { importContent } from "../importing/import-content.ts";
import { findImportFiles } from "../importing/import-files.ts";

const DEMO_FOLDER = join(import.meta.dirname, "../../demo");

/** Fills an empty store with the demo association, in one transaction. */
export async function seedDemo(record: ContentRecord): Promise<void> {
  const sources = [await findImportFiles(DEMO_FOLDER)];
  await record.write((transaction) =>
    importContent(transaction, { kind: "operator" }, sources, {
      now: new Date(),
      unknown: "refuse",
      events: {
        onProblem({ file, line, field, message }) {
          throw new Error(`The demo is damaged: ${file}:${line}: ${field}: ${message.en}`);
        },
      },
    }),
  );
}
