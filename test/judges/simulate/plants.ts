/** A fault planted in the program, to prove that the simulation finds it. */
export interface Plant {
  name: string;
  what: string;
  /** Texts of modules that are replaced when the modules are loaded. */
  changes: readonly { file: string; from: string; to: string }[];
  /** Whether some of PostgreSQL's notifications are lost as well. */
  losesNotifications?: true;
}

export const PLANTS: readonly Plant[] = [
  {
    name: "lost-notify",
    what: "notifications of the database are lost, and instances do not poll",
    losesNotifications: true,
    changes: [
      {
        file: "src/storage/replica/follower.ts",
        from: "const POLL_MILLISECONDS = 1000;",
        to: "const POLL_MILLISECONDS = 1_000_000_000_000;",
      },
    ],
  },
  {
    name: "overflowing-frequency",
    what: "how often a word is in a text overflows a byte of the postings",
    changes: [
      {
        file: "src/search/postings/postings.ts",
        from: "const STORED_FREQUENCY_MAX = 255;",
        to: "const STORED_FREQUENCY_MAX = 65_535;",
      },
    ],
  },
  {
    name: "purge-by-wall-clock",
    what: "what was deleted is purged by any clock, trusted or not",
    changes: [
      {
        file: "src/work/trusted-time.ts",
        from: "return this.#trusted === null && this.#ran >= RUNNING_MILLISECONDS;",
        to: "return true;",
      },
    ],
  },
  {
    name: "publish-by-wall-clock",
    what: "what is scheduled is published by any clock, trusted or not",
    changes: [
      {
        file: "src/work/trusted-time.ts",
        from: "        return this.#trusted === null;\n",
        to: "        return true;\n",
      },
    ],
  },
  {
    name: "skipped-entry",
    what: "the follower leaves out every fourth entry of the log",
    changes: [
      {
        file: "src/storage/replica/writable-copy.ts",
        from: "const isStale = await this.#write(entry);",
        to: "const isStale = sequence % 4 === 0 ? false : await this.#write(entry);",
      },
    ],
  },
  {
    name: "claim-not-kept",
    what: "a mail that one instance is sending can be taken by another",
    changes: [
      {
        file: "src/storage/record/queues/outbox.ts",
        from: "next_attempt_at: until.toISOString() }",
        to: "next_attempt_at: now.toISOString() }",
      },
    ],
  },
  {
    name: "acknowledged-before-synced",
    what: "a change is acknowledged before it is on disk",
    changes: [
      {
        file: "src/storage/record/sqlite/open.ts",
        from: "{ checkpointer, log: logSync }",
        to: "{ checkpointer }",
      },
    ],
  },
  {
    name: "rates-forgotten",
    what: "a restart forgets which requests were accepted",
    changes: [
      {
        file: "src/app/rate-limits-and-usage-counts.ts",
        from: "await localLimits.restore(record.rateWindows, now().getTime());",
        to: "",
      },
    ],
  },
];
