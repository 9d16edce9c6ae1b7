import type { DatabaseSync } from "node:sqlite";
import { textOf } from "../world.ts";
import type { DatabaseServer } from "./server.ts";
import { done, type Given, type Place, prepare } from "./statements.ts";
import {
  type Answer,
  type Asked,
  AUTHENTICATED,
  BOUND,
  commandComplete,
  dataRow,
  errorResponse,
  MessageReader,
  notification,
  PARSED,
  readyForQuery,
  rowDescription,
} from "./wire.ts";

const LOCK = /^select pg_advisory_xact_lock\((\d+)\)/i;
const RECORD_LOCK = "4022250974";
const SETTING = /^set (?:local )?(\w+) = '?(\d+)(s|ms)?'?/i;
const IN_FAILED_TRANSACTION = "25P02";

class SqlError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface ToClient {
  send(bytes: Buffer): void;
  end(): void;
}

/** Sends the answers to everything that arrived together as one message. */
class Answers implements ToClient {
  readonly #toClient: ToClient;
  #unsent: Buffer[] = [];

  constructor(toClient: ToClient) {
    this.#toClient = toClient;
  }

  send(bytes: Buffer): void {
    this.#unsent.push(bytes);
  }

  flush(): void {
    if (this.#unsent.length > 0) this.#toClient.send(Buffer.concat(this.#unsent));
    this.#unsent = [];
  }

  end(): void {
    this.flush();
    this.#toClient.end();
  }
}

/** The backend process of one connection. */
export class Session {
  readonly #server: DatabaseServer;
  readonly #toClient: Answers;
  readonly #messages = new MessageReader();
  readonly #queue: Asked[] = [];
  readonly #statements = new Map<string, string>();
  readonly #channels = new Set<string>();
  #notifications: { channel: string; payload: string }[] = [];
  #db: DatabaseSync;
  #bound: { sql: string; values: readonly Given[] } = { sql: "", values: [] };
  #answer: Answer | null = null;
  #state: "I" | "T" | "E" = "I";
  #isSkipping = false;
  #isWaiting = false;
  #isOpen = true;
  #lockMilliseconds = 0;
  #lockMillisecondsNow = 0;
  #standstill = 0;
  #activity = 0;

  constructor(server: DatabaseServer, toClient: ToClient) {
    this.#server = server;
    this.#toClient = new Answers(toClient);
    this.#db = server.openFile((channel, payload) =>
      this.#notifications.push({ channel, payload }),
    );
  }

  receive(bytes: Buffer): void {
    this.#queue.push(...this.#messages.read(bytes));
    this.#activity += 1;
    this.#work();
  }

  hear(channel: string, payload: string): void {
    if (!this.#channels.has(channel)) return;
    this.#toClient.send(notification(channel, payload));
    this.#toClient.flush();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#queue.length = 0;
    const { waiting } = this.#server;
    const at = waiting.findIndex(({ session }) => session === this);
    if (at !== -1) waiting.splice(at, 1);
    this.#db.close();
    this.#server.released(this);
  }

  #work(): void {
    this.#handleAll();
    this.#toClient.flush();
  }

  #handleAll(): void {
    while (!this.#isWaiting && this.#isOpen) {
      const [asked] = this.#queue;
      if (asked === undefined) return;
      if (this.#isSkipping && asked.kind !== "sync") {
        this.#queue.shift();
        continue;
      }
      if (this.#handle(asked) === "waits") return;
      this.#queue.shift();
    }
  }

  #handle(asked: Asked): "waits" | undefined {
    try {
      return this.#tryHandle(asked);
    } catch (error) {
      const code = error instanceof SqlError ? error.code : codeOf(error);
      const isForeseen = error instanceof SqlError || code !== "XX000";
      if (!isForeseen)
        this.#server.world.violation(`the simulated database: ${textOf(error)} ${this.#bound.sql}`);
      this.#toClient.send(errorResponse({ code, message: String(error) }));
      if (this.#state === "T") this.#state = "E";
      if (asked.kind === "query") this.#ready();
      else this.#isSkipping = true;
      return undefined;
    }
  }

  #tryHandle(asked: Asked): "waits" | undefined {
    switch (asked.kind) {
      case "startup":
        this.#lockMilliseconds = Number(asked.settings.get("lock_timeout") ?? 0);
        this.#lockMillisecondsNow = this.#lockMilliseconds;
        this.#toClient.send(AUTHENTICATED);
        this.#ready();
        return undefined;
      case "query":
        return this.#query(asked);
      case "parse":
        this.#statements.set(asked.name, asked.sql);
        this.#toClient.send(PARSED);
        return undefined;
      case "bind":
        this.#bound = { sql: this.#statements.get(asked.name) ?? "", values: asked.values };
        this.#toClient.send(BOUND);
        return undefined;
      case "describe":
        return this.#describe();
      case "execute":
        this.#sendRows();
        return undefined;
      case "sync":
        this.#isSkipping = false;
        this.#ready();
        return undefined;
      case "terminate":
        this.#toClient.end();
        this.close();
        return undefined;
      case "other":
        return undefined;
    }
  }

  /** Several statements in one text, without parameters. */
  #query(asked: Asked & { kind: "query" }): "waits" | undefined {
    const [first = "", ...rest] = asked.sql.split("; ");
    this.#bound = { sql: first, values: [] };
    const answer = this.#run(this.#bound);
    if (answer === "waits") return "waits";
    if (answer.columns !== null) this.#toClient.send(rowDescription(answer));
    this.#answer = answer;
    this.#sendRows();
    if (rest.length === 0) {
      this.#ready();
      return undefined;
    }
    this.#queue.splice(1, 0, { kind: "query", sql: rest.join("; ") });
    return undefined;
  }

  #describe(): "waits" | undefined {
    const answer = this.#run(this.#bound);
    if (answer === "waits") return "waits";
    this.#answer = answer;
    this.#toClient.send(rowDescription(answer));
    return undefined;
  }

  #sendRows(): void {
    const answer = this.#answer ?? done("");
    for (const row of answer.rows) this.#toClient.send(dataRow(row));
    this.#toClient.send(commandComplete(answer.tag));
    this.#answer = null;
  }

  #run({ sql, values }: { sql: string; values: readonly Given[] }): Answer | "waits" {
    const text = sql.trim();
    const controlled = this.#control(text);
    if (controlled !== null) return controlled;
    if (this.#state === "E")
      throw new SqlError(IN_FAILED_TRANSACTION, "The transaction has failed");
    const lock = LOCK.exec(text)?.[1];
    if (lock === RECORD_LOCK) return this.#lock();
    if (lock !== undefined) return done("SELECT 1");
    const { changes, run } = prepare(text);
    if (changes && this.#server.writer !== this && this.#server.writer !== null)
      return this.#wait();
    const answer = run(this.#place(), values);
    if (this.#state === "I") this.#publish();
    return answer;
  }

  /** Statements about transactions and settings. */
  #control(sql: string): Answer | null {
    if (/^begin\b/i.test(sql)) {
      this.#db.exec("BEGIN");
      this.#state = "T";
      return done("BEGIN");
    }
    if (/^commit\b/i.test(sql)) return this.#end(this.#state === "E" ? "ROLLBACK" : "COMMIT");
    if (/^rollback$/i.test(sql)) return this.#end("ROLLBACK");
    if (/^(?:savepoint|release)\b/i.test(sql) && this.#state === "T") {
      this.#db.exec(sql);
      return done("SAVEPOINT");
    }
    if (/^rollback to\b/i.test(sql)) {
      this.#db.exec(sql);
      this.#state = "T";
      return done("ROLLBACK");
    }
    if (/^listen\b/i.test(sql)) {
      this.#channels.add(sql.slice("listen ".length).trim());
      return done("LISTEN");
    }
    return /^set\b/i.test(sql) ? this.#set(sql) : null;
  }

  #set(sql: string): Answer {
    const [, name, value, unit] = SETTING.exec(sql) ?? [];
    const milliseconds = Number(value ?? 0) * (unit === "s" ? 1000 : 1);
    if (name === "lock_timeout") this.#lockMillisecondsNow = milliseconds;
    if (name === "idle_in_transaction_session_timeout") this.#standstill = milliseconds;
    return done("SET");
  }

  #end(tag: "COMMIT" | "ROLLBACK"): Answer {
    if (this.#db.isTransaction) this.#db.exec(tag);
    this.#state = "I";
    this.#lockMillisecondsNow = this.#lockMilliseconds;
    this.#standstill = 0;
    if (tag === "COMMIT") this.#publish();
    this.#notifications = [];
    this.#server.released(this);
    return done(tag);
  }

  #lock(): Answer | "waits" {
    if (this.#server.writer !== null && this.#server.writer !== this) return this.#wait();
    if (this.#server.writer === null) {
      this.#server.writer = this;
      this.#db.exec("ROLLBACK; BEGIN IMMEDIATE");
      this.#watchStandstill();
    }
    return done("SELECT 1");
  }

  /** Waits until the writer has ended, but at most for the lock timeout of the session. */
  #wait(): "waits" {
    this.#isWaiting = true;
    const { world, process, waiting } = this.#server;
    const turn = { session: this, granted: () => this.#goOn() };
    waiting.push(turn);
    if (this.#lockMillisecondsNow === 0) return "waits";
    world.schedule(process, this.#lockMillisecondsNow, () => {
      const at = waiting.indexOf(turn);
      if (at === -1) return;
      waiting.splice(at, 1);
      this.#isWaiting = false;
      this.#refuse(new SqlError("55P03", "canceling statement due to lock timeout"));
    });
    return "waits";
  }

  #goOn(): void {
    this.#isWaiting = false;
    this.#work();
    if (this.#server.writer === null) this.#server.waiting.shift()?.granted();
  }

  #refuse(error: SqlError): void {
    const [asked] = this.#queue;
    this.#queue.shift();
    this.#toClient.send(errorResponse({ code: error.code, message: error.message }));
    if (this.#state === "T") this.#state = "E";
    if (asked?.kind === "query") this.#ready();
    else this.#isSkipping = true;
    this.#work();
  }

  /** Ends a session that is idle in a transaction for too long. */
  #watchStandstill(): void {
    const { world, process } = this.#server;
    const seen = this.#activity;
    world.schedule(process, Math.max(1000, this.#standstill || 60_000), () => {
      if (!this.#isOpen || this.#server.writer !== this) return;
      if (this.#activity !== seen) return this.#watchStandstill();
      this.#toClient.send(errorResponse({ code: "25P03", message: "idle in transaction" }));
      this.#toClient.end();
      this.close();
    });
  }

  #publish(): void {
    for (const { channel, payload } of this.#notifications) this.#server.publish(channel, payload);
    this.#notifications = [];
  }

  #place(): Place {
    const { rates, wall } = this.#server;
    const notify: Place["notify"] = (channel, payload) => {
      this.#notifications.push({ channel, payload });
    };
    return { db: this.#db, rates, wall, notify };
  }

  #ready(): void {
    this.#toClient.send(readyForQuery(this.#state));
  }
}

/**
 * Constraint violations of SQLite mean the same in PostgreSQL. Any other error is a fault of the simulation.
 */
function codeOf(error: unknown): string {
  const isConstraint = error instanceof Error && /constraint failed/.test(error.message);
  return isConstraint ? "23505" : "XX000";
}
