/**
 * What writers know about their items. A state is an integer. An item must be in the last acknowledged state,
 * or in a state that was requested after it without an answer.
 */
export class Chronicle {
  readonly #items = new Map<string, { acknowledged: number; asked: number }>();

  /** Notes that an item will be brought into a new state, and returns the state. */
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

  /** Faults of the states that were found; undefined: the item is missing. */
  faults(stateOf: (item: string) => number | undefined): string[] {
    return [...this.#items].flatMap(([item, { acknowledged, asked }]) => {
      const found = stateOf(item) ?? 0;
      if (found >= acknowledged && found <= asked) return [];
      return [`${item} is in state ${found}, acknowledged was ${acknowledged} of ${asked}`];
    });
  }
}
