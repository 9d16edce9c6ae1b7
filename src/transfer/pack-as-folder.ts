import { redactIssuedSecrets, SECRET_IN_INPUT_ERROR } from "../access/credentials.ts";
import { AppError } from "../errors.ts";
import { joinPathBelowOrNull } from "../files/path-below.ts";
import { type FileToPack, packZip } from "../files/zip-packing.ts";

/** Limit on the files of an upload. Clients with more files send a ZIP of their folder. */
const FILES_MAX = 1000;
const NAME_CHARACTERS_SHOWN = 100;

/** A file of an upload. */
export interface UploadedFile {
  name: string;
  /** Must be read before the next file is requested. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** Files that were sent together, packed as the ZIP of a folder. */
interface PackedFolder {
  zip: AsyncGenerator<Uint8Array>;
  /**
   * The name consists of the first file's name and the number of other files. Call after reading the
   * ZIP.
   */
  name(): string;
}

/**
 * Packs files that were sent together, so that they are imported as one folder.
 *
 * @returns null if there is only one file.
 * @throws {AppError} `invalid` for names that a folder cannot have, for archives and for too many
 * files. The error may also be thrown later, while the ZIP is read.
 */
export async function packFilesAsFolder(
  first: UploadedFile,
  others: AsyncGenerator<UploadedFile>,
  at: Date,
): Promise<PackedFolder | null> {
  const second = await others.next();
  if (second.done === true) return null;
  const names = new Set<string>();
  const packed = function* (file: UploadedFile): Generator<FileToPack> {
    const name = nameInFolder(file.name, names);
    names.add(name);
    yield { name, isCompressed: true, bytes: file.bytes };
  };
  const folder = async function* (): AsyncGenerator<FileToPack> {
    yield* packed(first);
    yield* packed(second.value);
    for await (const file of others) yield* packed(file);
  };
  return {
    zip: packZip(folder(), { at }),
    name: () => `${[...names][0] ?? ""} + ${names.size - 1}.zip`,
  };
}

/**
 * @throws {AppError} `invalid` for a name that holds a secret, because jobs show it, and for a name that no file
 * can have. Without this check, the import would fail later.
 */
export function requireValidFileName(name: string): void {
  if (redactIssuedSecrets(name) !== name) {
    throw new AppError("invalid", {
      en: `Cannot import a file whose name ${SECRET_IN_INPUT_ERROR.en}`,
      de: `Der Name der Datei ${SECRET_IN_INPUT_ERROR.de}`,
    });
  }
  if (joinPathBelowOrNull("", name) !== null) return;
  const shown = name.slice(0, NAME_CHARACTERS_SHOWN).replaceAll(/\p{Cc}/gu, "\ufffd");
  throw new AppError("invalid", {
    en: `Cannot import "${shown}": this cannot be the name of a file; rename it, without control characters and with at most 255 bytes`,
    de: `„${shown}“ lässt sich nicht importieren: Das kann kein Dateiname sein. Benennen Sie die Datei um, ohne Steuerzeichen und mit höchstens 255 Byte`,
  });
}

/** @throws {AppError} `invalid`. */
function nameInFolder(sentName: string, taken: ReadonlySet<string>): string {
  const name = sentName.split(/[/\\]/).at(-1) ?? "";
  requireValidFileName(name);
  if (taken.has(name)) {
    throw new AppError("invalid", {
      en: `Cannot import the files together: two are named ${name}; rename one, or send the folder as a ZIP`,
      de: `Die Dateien lassen sich nicht zusammen importieren: Zwei heißen ${name}. Nennen Sie eine um, oder senden Sie den Ordner als ZIP`,
    });
  }
  if (/\.zip$/i.test(name)) {
    throw new AppError("invalid", {
      en: `Cannot import ${name} together with other files: send each ZIP by itself`,
      de: `${name} lässt sich nicht mit anderen Dateien zusammen importieren: Senden Sie jedes ZIP für sich`,
    });
  }
  if (taken.size >= FILES_MAX) {
    throw new AppError("invalid", {
      en: `More than ${FILES_MAX} files were sent: send their folder as a ZIP`,
      de: `Es sind mehr als ${FILES_MAX} Dateien: Senden Sie ihren Ordner als ZIP`,
    });
  }
  return name;
}
