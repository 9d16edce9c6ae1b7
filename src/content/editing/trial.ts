import type { ContentRecord } from "../record.ts";

/** Dry run: runs a change in a transaction that is rolled back, and returns its result. */
export async function triedOut<T>(
  record: ContentRecord,
  change: (record: ContentRecord) => Promise<T>,
): Promise<T> {
  const tried: { result: T }[] = [];
  const undone = new Error("A dry run ends");
  try {
    await record.write(async (transaction) => {
      tried.push({ result: await change(transaction) });
      throw undone;
    });
  } catch (error) {
    const [only] = tried;
    if (error === undone && only !== undefined) return only.result;
    throw error;
  }
  throw new Error("A dry run was kept");
}
