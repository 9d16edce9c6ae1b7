const PICTURE_FILE = /^(.*\/|)([^/]+)\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** Returns a function that finds a picture in a page's folder by its name without the extension. */
export function createSiblingPictureFinder(
  files: readonly string[],
): (page: string, name: string) => string | undefined {
  const picturesByPath = new Map<string, string>();
  for (const file of files) {
    const [, folder = "", name] = PICTURE_FILE.exec(file) ?? [];
    if (name !== undefined) picturesByPath.set(folder + name, file.slice(folder.length));
  }
  return (page, name) => picturesByPath.get(page.replace(/[^/]*$/, "") + name);
}

const INDEX_ENDINGS = ["", "/index", "/_index"] as const;

/**
 * Finds the file that a Hugo reference names. Looks in the page's folder first, then in each folder above it,
 * then among all other files.
 */
export function resolveHugoReference(
  page: string,
  reference: string,
  fileNamed: (name: string) => string | undefined,
): string | undefined {
  const name = reference.replace(/^\/|\/$|\.mdx?$/g, "");
  const folders = page.split("/").slice(0, -1);
  const starts = folders.map((_, at) => `${folders.slice(0, folders.length - at).join("/")}/`);
  const names = [...starts, ""].flatMap((start) =>
    INDEX_ENDINGS.map((index) => start + name + index),
  );
  return names.map(fileNamed).find((found) => found !== undefined);
}
