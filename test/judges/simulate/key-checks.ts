import type { Simulation } from "./simulation.ts";

/** Longer than an instance caches a key. */
const REMEMBERED_MILLISECONDS = 5000;
const CONFIRMATION_MILLISECONDS = 300;
const ANSWER_MILLISECONDS_MAX = 5000;

/** Every process must refuse revoked keys, and no other keys. */
export async function checkKeys(simulation: Simulation): Promise<void> {
  const { world, slots, keys, history } = simulation;
  await world.pass(REMEMBERED_MILLISECONDS);
  for (const { id, secret } of keys) {
    const revocations = history.asked.filter(
      ({ operation }) => operation.do === "revokeKey" && operation.key === id,
    );
    const isRevoked = revocations.some(({ outcome }) => outcome?.kind === "done");
    const mayBe = revocations.some(({ outcome }) => outcome?.kind !== "refused");
    for (const slot of slots) {
      // After a lost notification, the first request makes the process check whether keys changed.
      simulation.request(slot, { id, secret });
      await world.pass(CONFIRMATION_MILLISECONDS);
      const asked = simulation.request(slot, { id, secret });
      await world.passUntil(() => asked.answer !== null, ANSWER_MILLISECONDS_MAX);
      if (isRevoked && asked.answer !== "refused") {
        world.violation(`${slot.name} answers "${asked.answer}" to a key that was revoked`);
      }
      if (!mayBe && asked.answer === "refused") {
        world.violation(`${slot.name} refuses a key that was not revoked`);
      }
    }
  }
}
