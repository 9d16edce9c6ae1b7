const PICTURE_FILE = /^(.*\/|)([^/]+)\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** Looks up pictures in the folder of a page by name, without the extension. */
export function picturesBeside(
  files: readonly string[],
): (page: string, name: string) => string | undefined {
  const named = new Map<string, string>();
  for (const file of files) {
    const [, folder = "", name] = PICTURE_FILE.exec(file) ?? [];
    if (name !== undefined) named.set(folder + name, file.slice(folder.length));
  }
  return (page, name) => named.get(page.replace(/[^/]*$/, "") + name);
}

const INDEX_ENDINGS = ["", "/index", "/_index"] as const;

/**
 * The file that Hugo's reference names: in the folder of the page, in one above it, or the only one
 * of that name.
 */
export function fileNear(
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
