import type { ContentRecord } from "../record.ts";

/** Runs a change in a transaction that is rolled back, and returns its result. */
export async function runAndRollBack<T>(
  record: ContentRecord,
  change: (record: ContentRecord) => Promise<T>,
): Promise<T> {
  const results: { result: T }[] = [];
  const rollback = new Error("Roll back the dry run");
  try {
    await record.write(async (transaction) => {
      results.push({ result: await change(transaction) });
      throw rollback;
    });
  } catch (error) {
    const [only] = results;
    if (error === rollback && only !== undefined) return only.result;
    throw error;
  }
  throw new Error("The dry run was committed");
}
