/** Work that is done by the first who asks for it, and waited for by all. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return async () => {
    begun ??= work();
    await begun;
  };
}
