import { dirname } from "node:path";
import type { Actor } from "../../access/actor.ts";
import type { PreferredSide } from "../../content/editing/imported/saving-imports.ts";
import { saveImportedSite } from "../../content/editing/imported/saving-site.ts";
import type { ImportEventHandlers } from "../../content/import/import-events.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { ImportFiles } from "../import-files.ts";
import { type FilePublisher, publishSiteMedia } from "../publish-files.ts";
import { readSiteProfileAndTypes } from "./read-site.ts";

interface SiteOptions {
  now: Date;
  prefer: PreferredSide;
  /** Publishes the files that the settings refer to; undefined: these files are not published. */
  publisher: FilePublisher | undefined;
  events: ImportEventHandlers;
}

/**
 * Imports the profile and the types of a site folder. On a site that editors have already set up,
 * reports what was replaced, where the editors' changes were kept, and what both sides changed.
 * Does nothing without a `site.yaml`.
 *
 * @throws {AppError} `invalid` for an invalid `site.yaml`, `theme.css` or type.
 */
export async function importSiteSettings(
  record: ContentRecord,
  actor: Actor,
  { siteFile, ...files }: Pick<ImportFiles, "siteFile" | "themeFile" | "typeFiles">,
  { now, prefer, publisher, events }: SiteOptions,
): Promise<void> {
  if (siteFile === null) return;
  const stated = readSiteProfileAndTypes({ siteFile, ...files }, events.onProblem);
  const saved = await saveImportedSite(record, actor, stated, { now, prefer });
  const [replaced, kept] = [saved.replaced, saved.kept].map((names) => names.join(", "));
  if (replaced !== "") {
    events.onNote?.({
      en: `${siteFile} replaces settings of the site: ${replaced}`,
      de: `${siteFile} ersetzt Einstellungen der Website: ${replaced}`,
    });
  }
  if (kept !== "") {
    events.onNote?.({
      en: `Settings that were changed on the site since the last import are kept: ${kept}`,
      de: `Einstellungen, die auf der Website seit der letzten Übernahme geändert wurden, bleiben: ${kept}`,
    });
  }
  for (const { type, from, to } of saved.moves) {
    const [former, next] = [from ?? "/", to ?? "/"];
    events.onNote?.({
      en: `${type.plural} move from ${former} to ${next}; the former addresses redirect`,
      de: `${type.plural} ziehen von ${former} nach ${next} um; die früheren Adressen leiten weiter`,
    });
  }
  for (const field of saved.conflicts) {
    const message = {
      en: "was changed on the site and in the folder; the site's is kept. Make both say the same, or import again and choose which side to prefer",
      de: "wurde auf der Website und im Ordner geändert; es bleibt, was auf der Website steht. Gleichen Sie beide an, oder importieren Sie noch einmal, und wählen Sie, welche Seite gilt",
    };
    events.onProblem({ file: siteFile, line: 1, field, message, severity: "error" });
  }
  if (publisher !== undefined) {
    await publishSiteMedia(dirname(siteFile), publisher, events.onProblem);
  }
}
