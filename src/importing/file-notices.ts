import { buildWording, type Wording } from "../errors.ts";

const FILES_NAMED_MAX = 3;

/**
 * Collects notices about files. Equal notices are merged into one line with the names of the first files.
 */
export function createFileNoticeCollector() {
  const byText = new Map<string, { message: Wording; files: string[] }>();
  return {
    add(file: string, message: Wording): void {
      const found = byText.get(message.en) ?? { message, files: [] };
      found.files.push(file);
      byText.set(message.en, found);
    },
    all: (): Wording[] =>
      [...byText.values()].map(({ message, files }) =>
        buildWording((language) => `${message[language]} (${formatFileNames(files)})`),
      ),
  };
}

/** The first file names and the number of further files: "a.jpg, b.jpg, c.jpg + 4". */
export function formatFileNames(files: readonly string[]): string {
  const others = files.length - FILES_NAMED_MAX;
  const named = files.slice(0, FILES_NAMED_MAX).join(", ");
  return others > 0 ? `${named} + ${others}` : named;
}
