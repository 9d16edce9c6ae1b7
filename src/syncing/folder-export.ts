import { type Actor, requireScope } from "../access/actor.ts";
import type { RedirectInput } from "../content/addresses/redirects.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { FileToPack } from "../files/zip-packing.ts";
import { exportItems } from "../transfer/exporting.ts";
import {
  createPackedTextFile,
  EXPORTED_DELETIONS_FILE,
  exportMediaFiles,
  exportRedirectFiles,
  exportSettingsFiles,
  type SiteExportDependencies,
} from "../transfer/site-files.ts";
import type { SnapshotItem } from "../transfer/snapshot.ts";
import { createUniqueFileNamer, defaultFileName } from "./item-files.ts";
import {
  buildItemFrontMatter,
  formatItemFileText,
  selectUnlistedFormerAddresses,
} from "./item-text.ts";
import { formatSharedFileText, type SharedFileLineWithPath } from "./together/shared-files.ts";
import { jsonLineOfValues } from "./together/shared-lines.ts";
import { sharedFileName } from "./together/shared-names.ts";

const CONTENT_FOLDER = "content";

interface FolderParts extends SiteExportDependencies {
  types: ContentTypes;
  /** The types whose items are written to shared files, as JSON lines sorted by path. */
  together: ReadonlySet<string>;
}

/**
 * The files of a site folder with one Markdown file per item, in the form that `sync` and `import` use. Read
 * each file before requesting the next.
 *
 * @throws {AppError} `forbidden`; `invalid` for a type in `together` that the site lacks.
 */
export async function* exportSiteWithFilePerItem(
  actor: Actor,
  parts: FolderParts,
): AsyncGenerator<FileToPack> {
  requireScope(actor, "transfer:run");
  requireTypes(parts);
  const further: RedirectInput[] = [];
  const onItem = ({ item, redirectFrom }: SnapshotItem) => {
    for (const from of selectUnlistedFormerAddresses(redirectFrom))
      further.push({ from, to: item.path });
  };
  yield* itemFiles(parts, onItem);
  yield {
    name: `${CONTENT_FOLDER}/${EXPORTED_DELETIONS_FILE}`,
    isCompressed: false,
    async *bytes() {
      for await (const { text } of exportItems(parts.snapshot, actor, ["deleted"])) yield text;
    },
  };
  yield* exportSettingsFiles(parts.snapshot);
  yield* exportRedirectFiles(parts.snapshot, further);
  yield* exportMediaFiles(parts);
}

function requireTypes({ together, types }: FolderParts): void {
  for (const name of together) {
    if (types.has(name)) continue;
    const known = [...types.keys()].join(", ");
    throw new AppError(
      "invalid",
      englishOnlyWording(`There is no content type "${name}"; use one of ${known}`),
    );
  }
}

async function* itemFiles(
  { snapshot, types, together, onItems }: FolderParts,
  onItem: (shown: SnapshotItem) => void,
): AsyncGenerator<FileToPack> {
  const fileOf = createUniqueFileNamer();
  const shared = new Map<string, SharedFileLineWithPath[]>();
  let done = 0;
  for await (const batch of snapshot.items("present")) {
    for (const shown of batch) {
      const { item } = shown;
      onItem(shown);
      const sharedName = together.has(item.type) ? sharedFileName(item.path) : null;
      if (sharedName === null) {
        const file = fileOf(item);
        yield createPackedTextFile(
          `${CONTENT_FOLDER}/${file}`,
          formatItemFileText(shown, file, types),
        );
        continue;
      }
      const line = jsonLineOfValues(
        buildItemFrontMatter(shown, defaultFileName(item), types),
        item,
      );
      const lines = shared.get(sharedName) ?? [];
      lines.push({ path: item.path, line });
      shared.set(sharedName, lines);
    }
    done += batch.length;
    onItems(done);
  }
  for (const [file, lines] of shared) {
    yield createPackedTextFile(`${CONTENT_FOLDER}/${file}`, formatSharedFileText(lines));
  }
}
