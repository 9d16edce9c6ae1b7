/** Runs `work` on the first call; later calls share its result. */
export function runOnce(work: () => Promise<void>): () => Promise<void> {
  let started: Promise<void> | null = null;
  return async () => {
    started ??= work();
    await started;
  };
}
