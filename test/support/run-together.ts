import { suite } from "node:test";
import { pathToFileURL } from "node:url";

/** Runs files with tests in this process, one after the other, each as a suite of its own. */
export async function runTogether(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await suite(file, async () => {
      await import(pathToFileURL(file).href);
    });
  }
}
