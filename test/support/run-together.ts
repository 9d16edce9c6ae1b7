import { suite } from "node:test";
import { pathToFileURL } from "node:url";

/** Runs test files in this process, one after the other, each as a separate suite. */
export async function runTogether(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await suite(file, async () => {
      await import(pathToFileURL(file).href);
    });
  }
}
