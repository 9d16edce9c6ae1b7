/**
 * What writers know of the items they own. A state is a whole number; an item is in the last state
 * that was acknowledged, or in one that was asked for after it and never answered.
 */
export class Chronicle {
  readonly #items = new Map<string, { acknowledged: number; asked: number }>();

  /** Notes that an item is about to be brought into a further state, which this is. */
  ask(item: string): number {
    const known = this.#items.get(item) ?? { acknowledged: 0, asked: 0 };
    this.#items.set(item, { ...known, asked: known.asked + 1 });
    return known.asked + 1;
  }

  acknowledge(item: string, state: number): void {
    const known = this.#items.get(item);
    if (known !== undefined) known.acknowledged = Math.max(known.acknowledged, state);
  }

  get acknowledged(): number {
    return [...this.#items.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** What is wrong with the states that were found; undefined: the item is not there. */
  faults(stateOf: (item: string) => number | undefined): string[] {
    return [...this.#items].flatMap(([item, { acknowledged, asked }]) => {
      const found = stateOf(item) ?? 0;
      if (found >= acknowledged && found <= asked) return [];
      return [`${item} is in state ${found}, acknowledged was ${acknowledged} of ${asked}`];
    });
  }
}
