import { join } from "node:path";
import type { Actor } from "../access/actor.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import type { ImportProblem } from "../content/import/parsed-item.ts";
import type { ContentRecord } from "../content/record.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { FilePublisher } from "../importing/publish-files.ts";
import type { SyncBase } from "./sync-base.ts";
import type { SyncFolder } from "./sync-folder.ts";
import type { SyncPassReport } from "./sync-report.ts";

/** Dependencies of one pass over folder and site. */
export interface SyncPass {
  content: ContentRecord;
  desk: Pick<ContentDesk, "pathsTo">;
  actor: Actor;
  folder: SyncFolder;
  base: SyncBase;
  types: ContentTypes;
  timeZone: string;
  now: Date;
  publisher: FilePublisher;
  /** The site path of a file in the folder. */
  pathOf: (file: string) => string | undefined;
  report: SyncPassReport;
}

export function reportProblems(
  { report, folder }: Pick<SyncPass, "report" | "folder">,
  file: string,
  problems: readonly Omit<ImportProblem, "severity">[],
): void {
  for (const { line, field, message } of problems) {
    const location = `${join(folder.root, file)}:${line}: `;
    report.failed.push({
      file,
      message: `${location}${field === "" ? "" : `${field}: `}${message.en}`,
    });
  }
}

export function reportRejectedFile(
  { report, folder }: SyncPass,
  file: string,
  reason: string,
): void {
  report.failed.push({ file, message: `${join(folder.root, file)}: ${reason}` });
}
