import { Client } from "pg";
import type { Verdict } from "../verdict.ts";
import { GROUP_SIZE, type Writers } from "./writers.ts";

interface StateRow {
  name: string;
  state: number;
}

/** What must hold for the record after every kill. Each statement finds violations. */
const UNBROKEN: Readonly<Record<string, string>> = {
  "an item without all of its revisions": `SELECT path FROM items i
    WHERE revision <> (SELECT count(*) FROM revisions r WHERE r.item_id = i.id)
       OR revision <> (SELECT max(revision) FROM revisions r WHERE r.item_id = i.id)`,
  "a revision that is not the item's state": `SELECT path FROM items i
    JOIN revisions r ON r.item_id = i.id AND r.revision = i.revision
    WHERE (r.item::json ->> 'title') <> i.title OR (r.item::json ->> 'summary') <> i.summary`,
  "an item whose path is not claimed once": `SELECT path FROM items i
    WHERE 1 <> (SELECT count(*) FROM path_claims c WHERE c.item_id = i.id AND c.is_current = 1)`,
  "a revision without its entry in the audit log": `SELECT r.item_id FROM revisions r
    WHERE NOT EXISTS (SELECT 1 FROM audit a JOIN items i ON i.id = r.item_id
      WHERE a.revision_after = r.revision AND (a.target = i.path OR a.target = i.id))`,
  "a gap in the change log": `SELECT sequence FROM changes c
    WHERE sequence > (SELECT min(sequence) FROM changes)
      AND NOT EXISTS (SELECT 1 FROM changes b WHERE b.sequence = c.sequence - 1)`,
  "a change log that ends elsewhere than it says": `SELECT last FROM change_state
    WHERE last <> (SELECT coalesce(max(sequence), 0) FROM changes)`,
};

/** Checks the record against what its writers were told, and for consistency. */
export async function judgeTruth(databaseUrl: string, writers: Writers): Promise<Verdict[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return [...(await judgeAcknowledged(client, writers)), ...(await judgeUnbroken(client))];
  } finally {
    await client.end();
  }
}

async function judgeAcknowledged(client: Client, { chronicle }: Writers): Promise<Verdict[]> {
  const { rows } = await client.query<StateRow>(
    `SELECT coalesce(source_key, title) AS name, substring(summary from 'State (\\d+)')::int AS state
     FROM items WHERE summary LIKE 'State %'`,
  );
  const states = new Map(rows.map(({ name, state }) => [name, state]));
  const faults = chronicle.faults((item) => states.get(item));
  const groups = Map.groupBy(
    rows.filter(({ name }) => name.startsWith("group:")),
    ({ name }) => name.replace(/:[bcd]$/, ""),
  );
  const torn = [...groups].filter(
    ([, items]) => items.length !== GROUP_SIZE || new Set(items.map(({ state }) => state)).size > 1,
  );
  return [
    {
      what: "no acknowledged write is lost",
      passed: faults.length === 0 && chronicle.acknowledged > 0,
      detail: [`${chronicle.acknowledged} acknowledged`, ...faults.slice(0, 5)].join("; "),
    },
    {
      what: "items written together are in one state",
      passed: torn.length === 0 && groups.size > 0,
      detail: [
        `${groups.size} groups of ${GROUP_SIZE}`,
        ...torn.slice(0, 5).map(([name, items]) => `${name}: ${items.map(({ state }) => state)}`),
      ].join("; "),
    },
  ];
}

async function judgeUnbroken(client: Client): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [fault, statement] of Object.entries(UNBROKEN)) {
    const { rows } = await client.query(statement);
    verdicts.push({
      what: `the record has nowhere ${fault}`,
      passed: rows.length === 0,
      detail: rows.length === 0 ? "none" : JSON.stringify(rows.slice(0, 3)),
    });
  }
  return verdicts;
}
