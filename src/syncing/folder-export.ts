import { type Actor, requireScope } from "../access/actor.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { AppError, englishOnly } from "../errors.ts";
import type { PackedFile } from "../files/zip-packing.ts";
import { exportItems } from "../transfer/exporting.ts";
import { itemLines } from "../transfer/item-lines.ts";
import {
  EXPORTED_DELETIONS_FILE,
  mediaFilesOf,
  type RedirectLine,
  redirectLists,
  type SiteParts,
  settingsFiles,
  textFile,
} from "../transfer/site-files.ts";
import type { SnapshotItem } from "../transfer/snapshot.ts";
import { ownFiles, sharedFile } from "./item-places.ts";
import { furtherAddresses, itemText } from "./item-text.ts";

const CONTENT_FOLDER = "content";

interface FolderParts extends SiteParts {
  types: ContentTypes;
  /** The types whose items share files, as JSON lines in the order of their paths. */
  together: ReadonlySet<string>;
}

/**
 * The files of a site folder with one Markdown file an item, as `sync` keeps it and `import` reads it. Each file
 * must be read before the next is asked for.
 *
 * @throws {AppError} `forbidden`; `invalid` for a type in `together` that the site lacks.
 */
export async function* folderFiles(actor: Actor, parts: FolderParts): AsyncGenerator<PackedFile> {
  requireScope(actor, "transfer:run");
  requireTypes(parts);
  const further: RedirectLine[] = [];
  const onItem = ({ item, redirectFrom }: SnapshotItem) => {
    for (const from of furtherAddresses(redirectFrom)) further.push({ from, to: item.path });
  };
  yield* itemFiles(parts, onItem);
  yield {
    name: `${CONTENT_FOLDER}/${EXPORTED_DELETIONS_FILE}`,
    isCompressed: false,
    async *bytes() {
      for await (const { text } of exportItems(parts.snapshot, actor, ["deleted"])) yield text;
    },
  };
  yield* settingsFiles(parts.snapshot);
  yield* redirectLists(parts.snapshot, further);
  yield* mediaFilesOf(parts);
}

function requireTypes({ together, types }: FolderParts): void {
  for (const name of together) {
    if (types.has(name)) continue;
    const known = [...types.keys()].join(", ");
    throw new AppError(
      "invalid",
      englishOnly(`There is no content type "${name}"; use one of ${known}`),
    );
  }
}

async function* itemFiles(
  { snapshot, types, together, onItems }: FolderParts,
  onItem: (shown: SnapshotItem) => void,
): AsyncGenerator<PackedFile> {
  const fileOf = ownFiles();
  const shared = new Map<string, Map<string, string>>();
  let done = 0;
  for await (const batch of snapshot.items("present")) {
    for (const shown of batch) {
      const { item } = shown;
      if (together.has(item.type)) {
        const lines = itemLines(shown, { statesLastChange: false });
        const file = sharedFile(item);
        shared.set(file, (shared.get(file) ?? new Map()).set(item.path, lines.join("\n")));
        continue;
      }
      onItem(shown);
      const file = fileOf(item);
      yield textFile(`${CONTENT_FOLDER}/${file}`, itemText(shown, file, types));
    }
    done += batch.length;
    onItems(done);
  }
  for (const [file, lines] of shared) {
    const inOrder = [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const text = inOrder.map(([, line]) => `${line}\n`).join("");
    yield textFile(`${CONTENT_FOLDER}/${file}`, text);
  }
}
